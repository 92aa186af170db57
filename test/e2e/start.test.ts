import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { MAIN, runMain } from '../support/main-process.ts';
import type { MainProcess } from '../support/main-process.ts';
import { createEmptyDatabase } from '../support/postgres.ts';

let dataDir = '';
const runs: MainProcess[] = [];

const run = (env: Record<string, string> = {}, command: readonly string[] = MAIN): MainProcess => {
  const made = runMain({ env: { DATA_DIR: dataDir, ...env }, command });
  runs.push(made);
  return made;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenon-start-'));
});

afterAll(async () => {
  await Promise.all(runs.map((made) => made.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('prints curl lines that work when pasted, ends with 0 on SIGTERM, and keeps its data at the second start', async () => {
    const first = run({}, ['npm', 'start']);
    const printed = await first.says('with Idempotent-Replay: true.');
    const lines = printed.split('Try it:\n')[1]?.split('The last line')[0] ?? '';
    const last = lines.slice(lines.indexOf('  curl -si'));
    const { stdout } = await promisify(execFile)('bash', ['-ec', `${lines}\n${last}`]);
    expect(stdout).toContain('"total":60');
    expect(stdout.match(/"requested":1,"succeeded":1,"failed":0/g)).toHaveLength(2);
    expect(stdout.match(/^Idempotent-Replay: true/gim)).toHaveLength(1);
    const secret = /client secret +(\S+)/.exec(printed)?.[1] ?? '';
    expect(secret).not.toBe('');
    expect(await first.stop()).toBe(0);

    const second = run();
    const again = await second.says('rotate-signing-secret');
    expect(again).toContain('The data of earlier starts is kept');
    expect(again).not.toContain(secret);
    expect(await second.stop()).toBe(0);
  }, 120_000);

  it('--help lists the settings and starts nothing', async () => {
    const made = run({}, [...MAIN, '--help']);
    expect(await made.ended).toBe(0);
    expect(made.out()).toContain('DATABASE_URL');
  });

  it('two nodes that start at once on an empty database both start, and make one demo store', async () => {
    const database = await createEmptyDatabase();
    const nodes = [run({ DATABASE_URL: database.url }), run({ DATABASE_URL: database.url })];
    const printed = await Promise.all(nodes.map((node) => node.says('Tenon is ready')));
    expect(printed.filter((text) => text.includes('Shown this once'))).toHaveLength(1);
    expect(printed.filter((text) => text.includes('The data of earlier starts is kept'))).toHaveLength(1);
    expect(await Promise.all(nodes.map((node) => node.stop()))).toEqual([0, 0]);
    await database.drop();
  });

  it('a signal during the start leaves no database behind', async () => {
    const DATA_DIR = join(dataDir, 'interrupted');
    const made = run({ DATA_DIR });
    await made.says('Making a database');
    expect(await made.stop()).toBe(0);
    expect(made.out().indexOf('"stopping"')).toBeLessThan(made.out().indexOf('"listening"'));
    expect(await readdir(DATA_DIR)).toEqual(['media', 'postgres', 'secrets.json']);
    expect(await readdir(join(DATA_DIR, 'postgres'))).not.toContain('postmaster.pid');
  });
});

/** Root without its privileges: permissions hold for it as for anybody. The tests' own user where that isn't root. */
const AS_ANYBODY = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...MAIN] : MAIN;

describe('a start that fails says why in one line and ends with 1', () => {
  const fails = async (settings: Record<string, string>, command?: readonly string[]): Promise<string> => {
    const made = run(settings, command);
    expect(await made.ended).toBe(1);
    // What a first start has to wait for is told on standard error, too.
    const lines = made
      .err()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('Making a database'));
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  };

  it('a bad setting', async () => {
    expect(await fails({ PORT: 'abc' })).toMatch(/^tenon: PORT: /);
  });

  it('an unreachable database, without its password', async () => {
    const line = await fails({ DATABASE_URL: 'postgresql://tenon:sekret@127.0.0.1:1/tenon' });
    expect(line).toMatch(/^tenon: DATABASE_URL: /);
    expect(line).not.toContain('sekret');
  });

  it('a data directory that is a file, or below one', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    for (const DATA_DIR of [file, join(file, 'below')]) expect(await fails({ DATA_DIR })).toContain(DATA_DIR);
  });

  it.runIf(process.platform === 'linux')('a data directory where the system takes no new folder', async () => {
    expect(await fails({ DATA_DIR: '/proc/tenon' })).toMatch(/^tenon: The data directory \/proc\/tenon can't be written: ENOENT/);
  });

  it("a data directory of another user's: not to be written, and not to be entered", async () => {
    const foreign = join(dataDir, 'foreign');
    await mkdir(foreign);
    await chmod(foreign, 0o500);
    expect(await fails({ DATA_DIR: foreign }, AS_ANYBODY)).toMatch(
      /^tenon: The data directory .*foreign can't be written: EACCES/,
    );
    expect(await fails({ DATA_DIR: join(foreign, 'new') }, AS_ANYBODY)).toMatch(/can't be written: EACCES/);
    await chmod(foreign, 0);
    expect(await fails({ DATA_DIR: foreign }, AS_ANYBODY)).toMatch(/^tenon: .*foreign.* can't be read: EACCES/);
  });

  it('a port that is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      expect(await fails({ HOST: '127.0.0.1', PORT: String(port) })).toMatch(/^tenon: port .* is taken: .* PORT$/);
    } finally {
      holder.close();
    }
  });
});
