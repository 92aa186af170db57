import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { locateBinaries } from '../../src/adapters/embedded/binaries.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { isAlive } from '../../src/adapters/startup/processes.ts';
import { reachEmbeddedPostgres } from '../../src/adapters/embedded/reach.ts';

/** With a cluster that ran once. To make one takes twenty times as long as to copy it. */
let used: string;
let folder: string;
let dataDir: string;
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'tenon-embedded-'));
  await (await startEmbeddedPostgres({ dataDir: join(used, 'data') })).stop();
});

afterAll(() => rm(used, { recursive: true, force: true }));

beforeEach(async () => {
  // mkdtemp makes it 0700: as root, the server's user can't enter it.
  folder = await mkdtemp(join(tmpdir(), 'tenon-embedded-'));
  dataDir = join(folder, 'data');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = async (options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  servers.push(server);
  return server;
};

/** Makes the data directory that of an earlier start. */
const startedBefore = () => promisify(execFile)('cp', ['-a', join(used, 'data'), dataDir]);

const ask = async <Row extends object>(url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

/** Another process that starts a server in the same data directory, and what it says. */
const holdElsewhere = async () => {
  const child = spawn(process.execPath, [join(inject('built'), 'test/support/hold-postgres.js'), dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said: JSON.parse(line) as { url: string; pid: number; error?: string } };
};

test('the first start creates the cluster: UTF8, locale C, user and database tenon, a Unix socket only, fsync on', async () => {
  const steps: string[] = [];
  const { url } = await start({ onProgress: (message) => steps.push(message) });
  expect(steps).toHaveLength(1);
  const [row] = await ask(
    url,
    `SELECT current_user AS user, current_database() AS database, datcollate AS locale, pg_encoding_to_char(encoding) AS encoding,
       current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync
     FROM pg_database WHERE datname = current_database()`,
  );
  expect(row).toEqual({ user: 'tenon', database: 'tenon', locale: 'C', encoding: 'UTF8', addresses: '', fsync: 'on' });
});

test('the socket is in a folder that only the server and root may enter', async () => {
  await startedBefore();
  const { url } = await start();
  const socket = new URL(url).searchParams.get('host') ?? '';
  expect((await stat(socket)).mode & 0o777).toBe(0o700);
  expect(socket.length).toBeLessThanOrEqual(90);
});

test('a second start keeps the data', async () => {
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  await first.stop();
  expect(await isAlive(first.pid)).toBe(false);
  const steps: string[] = [];
  const second = await start({ onProgress: (message) => steps.push(message) });
  expect(await ask(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  expect(steps).toEqual([]);
});

test('an incomplete cluster of a killed start is created again', async () => {
  await mkdir(join(dataDir, 'postgres.unfinished'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n');
  const { url } = await start();
  expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('an orphaned server of the same data directory is stopped first, and its data is kept', async () => {
  await startedBefore();
  const { child, said } = await holdElsewhere();
  await ask(said.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isAlive(said.pid)).toBe(true);
  const { url } = await start();
  expect(await isAlive(said.pid)).toBe(false);
  expect(await ask(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
});

test('a data directory that another running Tenon uses is refused with its pid, and that Tenon continues', async () => {
  await startedBefore();
  const { child, said } = await holdElsewhere();
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    new RegExp(`Another Tenon \\(pid ${String(child.pid)}\\) uses the data directory`),
  );
  expect(await ask(said.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await start();
});

test('a lock file whose pid belongs to a later process does not lock', async () => {
  await startedBefore();
  await writeFile(join(dataDir, 'tenon.lock'), JSON.stringify({ pid: process.pid, birth: 'another boot/1' }));
  await start();
});

test('if two start at the same time, one gets the data directory', async () => {
  await startedBefore();
  const both = await Promise.allSettled([startEmbeddedPostgres({ dataDir }), startEmbeddedPostgres({ dataDir })]);
  for (const one of both) if (one.status === 'fulfilled') servers.push(one.value);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('an unexpected end of the server is reported', async () => {
  await startedBefore();
  const error = await new Promise<Error>((resolve, reject) => {
    start({ onUnexpectedExit: resolve }).then(({ pid }) => process.kill(pid, 'SIGKILL'), reject);
  });
  expect(error.message).toMatch(/ended unexpectedly \(SIGKILL\)/);
});

test('if a cluster does not start, the error has the output of the server, and the directory is released', async () => {
  await startedBefore();
  const version = join(dataDir, 'postgres', 'PG_VERSION');
  const text = await readFile(version, 'utf8');
  await writeFile(version, '9.6\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/did not start \(status 1\): .*incompatible/);
  await writeFile(version, text);
  await start();
});

test('on a platform without binaries, one line says to set DATABASE_URL', async () => {
  await expect(locateBinaries('win32', 'x64')).rejects.toThrow(
    /^There is no embedded PostgreSQL for win32-x64 .*Set DATABASE_URL[^\n]*$/,
  );
});

test('a data directory that cannot be written is refused with one line', async () => {
  await writeFile(join(folder, 'file'), '');
  const below = join(folder, 'file', 'data');
  await expect(startEmbeddedPostgres({ dataDir: below })).rejects.toThrow(
    /^The data directory [^\n]* cannot be written: [^\n]*$/,
  );
});

describe.runIf(process.geteuid?.() === 0)('as root', () => {
  test.each([
    ['in a folder that only root may enter', 0o700],
    ['in a folder that anyone may enter', 0o755],
  ])('%s the server runs as another user', async (_, mode) => {
    await chmod(folder, mode);
    const { url, pid } = await start();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    expect(await readFile(`/proc/${String(pid)}/status`, 'utf8')).not.toMatch(/^Uid:\s+0/m);
  });

  test('an existing cluster keeps its owner', async () => {
    await startedBefore();
    const first = await start();
    const { uid } = await stat(join(dataDir, 'postgres'));
    await first.stop();
    await start();
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(uid);
  });
});

test('a command reaches the database of a running server, and starts it while none runs', async () => {
  await startedBefore();
  const running = await start();
  const asks = 'SELECT 1 AS n';
  const reached = await reachEmbeddedPostgres({ dataDir, mayCreate: false });
  expect(await ask(reached.url, asks)).toEqual([{ n: 1 }]);
  await reached.stop();
  expect(await ask(running.url, asks)).toEqual([{ n: 1 }]);
  await running.stop();
  const own = await reachEmbeddedPostgres({ dataDir, mayCreate: false });
  expect(await ask(own.url, asks)).toEqual([{ n: 1 }]);
  await own.stop();
  await expect(ask(own.url, asks)).rejects.toThrow();
  const nowhere = join(folder, 'nowhere');
  await expect(reachEmbeddedPostgres({ dataDir: nowhere, mayCreate: false })).rejects.toThrow(
    `There is no database in ${nowhere}`,
  );
  await expect(stat(nowhere)).rejects.toThrow('ENOENT');
});
