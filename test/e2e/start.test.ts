import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { compiledMain, runMain } from '../support/main-process.ts';
import type { MainProcess } from '../support/main-process.ts';
import { createEmptyDatabase } from '../support/postgres.ts';

let dataDir = '';
const runs: MainProcess[] = [];

const BUILT = [...compiledMain(), 'start'];

const run = (env: Record<string, string> = {}, command: readonly string[] = BUILT): MainProcess => {
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

/** What the admin API answers here: a list, or an event. */
interface Answer {
  readonly items: readonly { readonly id: string; readonly status: string | number; readonly error?: string | null }[];
  readonly eventId: string;
  readonly deliveries: readonly { readonly status: string }[];
}

/** Calls the admin API that a start has printed. With a body it posts. */
const adminOf = (printed: string, token: string) => {
  const url = /"adminUrl":"([^"]+)"/.exec(printed)?.[1] ?? '';
  return async (path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      `${url}/admin${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    expect(response.ok).toBe(true);
    return (await response.json()) as Answer;
  };
};

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
    const adminToken = /admin token +(\S+)/.exec(printed)?.[1] ?? '';
    expect([secret, adminToken]).not.toContain('');
    expect(printed.split(adminToken)).toHaveLength(2);
    // The demo has lived for a moment, so that no page of the console is empty.
    const admin = adminOf(printed, adminToken);
    const { items: stores } = await admin('/stores');
    const store = `/stores/${stores[0]?.id ?? ''}`;
    const outcomes = async () => (await admin(`${store}/deliveries?take=250`)).items.map((item) => item.error ?? item.status);
    await eventually(async () => expect(await outcomes()).toEqual(expect.arrayContaining(['Delivered', 'http_5xx'])));
    const refusals = async () => (await admin(`${store}/requests`)).items.map((item) => item.status);
    await eventually(async () => expect(await refusals()).toEqual(expect.arrayContaining([403, 422])));
    expect(await first.stop()).toBe(0);

    const second = run();
    const again = await second.says('rotate-signing-secret');
    expect(again).toContain('The data of earlier starts is kept');
    expect(again).not.toContain(secret);
    expect(again).not.toContain(adminToken);
    // The lines that it prints in place of the token work when pasted.
    const list = /ADMIN_TOKEN=[^]*?admin\/stores .*/.exec(again)?.[0] ?? '';
    expect((await promisify(execFile)('bash', ['-ec', list])).stdout).toContain('"domain":"localhost"');
    // The demo's receiver listens again on the port that is subscribed.
    const later = adminOf(again, adminToken);
    const { eventId } = await later(`${store}/events`, { type: 'order.created', data: { id: 'order-2001' } });
    await eventually(async () => {
      const { deliveries } = await later(`${store}/events/${eventId}`);
      expect(deliveries.map((delivery) => delivery.status)).toContain('Delivered');
    });
    expect(await second.stop()).toBe(0);
  }, 120_000);

  it('LOG_LEVEL is the lowest severity that it logs', async () => {
    const made = run({ LOG_LEVEL: 'error' });
    await made.says('Tenon is ready');
    expect(made.out()).not.toContain('"msg":"listening"');
    expect(await made.stop()).toBe(0);
  });

  it('--help starts nothing', async () => {
    const made = run({}, [...BUILT, '--help']);
    expect(await made.ended).toBe(0);
    expect(made.out()).toContain('tenon start --help');
  });

  it('two nodes that start at the same time on an empty database create one demo store', async () => {
    const database = await createEmptyDatabase();
    const nodes = [run({ DATABASE_URL: database.url }), run({ DATABASE_URL: database.url })];
    const printed = await Promise.all(nodes.map((node) => node.says('Tenon is ready')));
    expect(printed.filter((text) => text.includes('These secrets are shown once'))).toHaveLength(1);
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

describe('a failed start says why in one line and exits with 1', () => {
  /**
   * Root without its privileges: permissions apply to it as to any user. The tests' own user where
   * that is not root.
   */
  const asAnybody = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...BUILT] : BUILT;

  const fails = async (settings: Record<string, string>, command: readonly string[] = BUILT): Promise<string> => {
    const made = run(settings, command);
    expect(await made.ended).toBe(1);
    // A first start also reports its waits on standard error.
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

  it.runIf(process.platform === 'linux')('a data directory in which no folder can be created', async () => {
    expect(await fails({ DATA_DIR: '/proc/tenon' })).toMatch(/^tenon: The data directory \/proc\/tenon can't be written: ENOENT/);
  });

  it('a data directory of another user that cannot be written or entered', async () => {
    const foreign = join(dataDir, 'foreign');
    await mkdir(foreign);
    await chmod(foreign, 0o500);
    expect(await fails({ DATA_DIR: foreign }, asAnybody)).toMatch(
      /^tenon: The data directory .*foreign can't be written: EACCES/,
    );
    expect(await fails({ DATA_DIR: join(foreign, 'new') }, asAnybody)).toMatch(/can't be written: EACCES/);
    await chmod(foreign, 0);
    expect(await fails({ DATA_DIR: foreign }, asAnybody)).toMatch(/^tenon: .*foreign.* can't be read: EACCES/);
  });

  it('a port that is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      expect(await fails({ HOST: '127.0.0.1', PORT: String(port) })).toMatch(/^tenon: Port .* is taken\. .* PORT\.$/);
    } finally {
      holder.close();
    }
  });
});
