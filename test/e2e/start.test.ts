import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

let dataDir = '';
const runs: Run[] = [];

const run = (settings: Record<string, string> = {}, args: readonly string[] = []): Run => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', ...settings };
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...args], { cwd: root, env });
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const made = { child, out: () => out, err: () => err, ended };
  runs.push(made);
  return made;
};

/** Started, the whole banner printed. */
const ready = (made: Run, last: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (made.out().includes(last)) resolve(made.out());
    };
    made.child.stdout?.on('data', look);
    void made.ended.then((code) => reject(new Error(`ended with ${String(code)}: ${made.err()}`)));
    look();
  });

const stop = async (made: Run): Promise<number | null> => {
  made.child.kill('SIGTERM');
  return made.ended;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenon-start-'));
});

afterAll(async () => {
  await Promise.all(runs.map(stop));
  await rm(dataDir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('prints curl lines that work when pasted, ends with 0 on SIGTERM, and keeps its data at the second start', async () => {
    const first = run();
    const printed = await ready(first, 'with Idempotent-Replay: true.');
    const lines = printed.split('Try it:\n')[1]?.split('The last line')[0] ?? '';
    const last = lines.slice(lines.indexOf('  curl -si'));
    const { stdout } = await promisify(execFile)('bash', ['-ec', `${lines}\n${last}`]);
    expect(stdout).toContain('"total":60');
    expect(stdout.match(/"requested":1,"succeeded":1,"failed":0/g)).toHaveLength(2);
    expect(stdout.match(/^Idempotent-Replay: true/gim)).toHaveLength(1);
    const secret = /client secret +(\S+)/.exec(printed)?.[1] ?? '';
    expect(secret).not.toBe('');
    expect(await stop(first)).toBe(0);

    const second = run();
    const again = await ready(second, 'rotate-signing-secret');
    expect(again).toContain('The data of earlier starts is kept');
    expect(again).not.toContain(secret);
    expect(await stop(second)).toBe(0);
  });

  it('--help lists the settings and starts nothing', async () => {
    const made = run({}, ['--help']);
    expect(await made.ended).toBe(0);
    expect(made.out()).toContain('DATABASE_URL');
  });
});

describe('a start that fails says why in one line and ends with 1', () => {
  const fails = async (settings: Record<string, string>): Promise<string> => {
    const made = run(settings);
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

  it('a data directory that can not be made', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    expect(await fails({ DATA_DIR: join(file, 'below') })).toContain(file);
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
