import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { compiledMain, runMain, type MainProcess } from '../support/main-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { asAdmin, SETTINGS } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const REQUESTS = 60;

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly status?: number;
  readonly leftOut?: number;
  readonly err?: { readonly type: string; readonly stack?: string };
}

let database: TestDatabase;
let proxy: TcpProxy;
let node: MainProcess;

beforeAll(async () => {
  database = await openTestDatabase();
  proxy = await openTcpProxy(database.url);
  node = runMain({ env: { ...SETTINGS, DATABASE_URL: proxy.url }, command: [...compiledMain(), 'start'] });
  await node.says('"listening"');
});

afterAll(async () => {
  await node.stop();
  await proxy.close();
  await database.close();
});

const lines = (): Line[] =>
  node
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);

const counted = (some: readonly Line[]): number => some.reduce((sum, { leftOut = 0 }) => sum + 1 + leftOut, 0);

it('an outage of the database writes no stacks, and a line a second of each kind with the count of the others', async () => {
  const adminUrl = /"adminUrl":"([^"]+)"/.exec(node.out())?.[1] ?? '';
  await proxy.close();
  for (let at = 0; at < REQUESTS; at += 1) expect((await asAdmin({ adminUrl }, 'GET', '/admin/stores')).status).toBe(503);
  const failed = (): Line[] => lines().filter(({ msg }) => msg === 'request failed');
  await eventually(async () => expect(counted(failed())).toBe(REQUESTS));
  expect(failed().length).toBeLessThan(REQUESTS);
  expect(lines().filter(({ err }) => err?.stack !== undefined)).toEqual([]);
  // Each request has its own line all the same, and the metrics have all.
  expect(lines().filter(({ msg, status }) => msg === 'request' && status === 503)).toHaveLength(REQUESTS);
  const { body } = await asAdmin({ adminUrl }, 'GET', '/metrics');
  const total = Number(/^tenon_outage_errors_total (\d+)$/m.exec(body)?.[1]);
  expect(total).toBeGreaterThanOrEqual(REQUESTS);
});
