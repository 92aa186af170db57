import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { runMain } from '../support/main-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { call, SETTINGS } from '../support/server.ts';
import { runs, startWorkers } from '../support/workers.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('a node of two API processes', () => {
  it('that is killed leaves no process behind, and its port is free', async () => {
    const { main, url, pids } = await startWorkers(database.url, { WORKERS: '2' });
    main.child.kill('SIGKILL');
    await main.ended;
    await eventually(() => expect(pids().map(runs)).toEqual([false, false]));
    await expect(call(`${url}/healthz`, 'GET')).rejects.toThrow();
  });

  it('has one database of its own, which a killed API process does not end and a stop does', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tenon-workers-'));
    const { main, url, pids } = await startWorkers(null, { WORKERS: '2', DATA_DIR: dataDir });
    onTestFinished(async () => {
      await main.stop();
      await rm(dataDir, { recursive: true });
    });
    const server = join(dataDir, 'postgres', 'postmaster.pid');
    const [first = 0, second = 0] = pids();
    await access(server);
    process.kill(first, 'SIGKILL');
    await eventually(() => expect(pids().filter((pid) => pid !== first)).toEqual([expect.any(Number), second]));
    expect((await call(`${url}/readyz`, 'GET')).status).toBe(200);
    expect(await main.stop()).toBe(0);
    await expect(access(server)).rejects.toThrow('ENOENT');
  });

  it('says in one line why it cannot start', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const main = runMain({ env: { ...SETTINGS, DATABASE_URL: database.url, WORKERS: '2', PORT: String(port) } });
    expect(await main.ended).toBe(1);
    expect(main.err()).toMatch(/^tenon: Port \d+ on 127\.0\.0\.1 is taken\. .* PORT\.\n$/);
    holder.close();
  });
});
