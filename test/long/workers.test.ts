import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { runMain } from '../support/main-process.ts';
import { openTestDatabase } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';
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
