import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { asAdmin, call, startProcess, type ServerProcess } from '../support/server.ts';

let database: TestDatabase;
let receiver: Receiver;
let node: ServerProcess;
let worker: ServerProcess | undefined;
beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  const INCIDENT_SLACK_URL = receiver.url;
  node = await startProcess({
    databaseUrl: database.url,
    env: { ROLE: 'api', INCIDENT_SLACK_URL, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  });
});
afterAll(async () => {
  await Promise.all([node.end(), worker?.end()]);
  await receiver.close();
  await database.close();
});

const readiness = async () => {
  const { status, body } = await call(`${node.url}/readyz`, 'GET');
  return [status, (JSON.parse(body) as { checks: Readonly<Record<string, string>> }).checks['workers']];
};
const stopped = async () => {
  const { body } = await asAdmin(node, 'GET', '/admin/incidents');
  const { items } = JSON.parse(body) as { items: readonly { kind: string; name: string; endedAt: string | null }[] };
  return items.flatMap(({ kind, name, endedAt }) => (kind === 'work_stopped' ? [{ name, isOpen: endedAt === null }] : []));
};
const counted = async () => /^tenon_workers (\d+)$/m.exec((await asAdmin(node, 'GET', '/metrics')).body)?.[1];

it('a server of API nodes alone says itself that no worker runs, until one does', { timeout: 180_000 }, async () => {
  await database.query(
    `INSERT INTO processes (id, name, role, version, keys, sealing, tasks, started_at, seen_at)
     VALUES ($1, 'gone:1', 'worker', '1', '{}', '', '[]', now() - interval '1 hour', now() - interval '90 s')`,
    [randomUUID()],
  );
  await eventually(async () => expect(await readiness()).toEqual([200, 'degraded']));
  await eventually(async () => expect(await stopped()).toEqual([{ name: 'Workers', isOpen: true }]));
  await eventually(() => expect(receiver.received.map(({ body }) => body).join('')).toContain('No worker runs'));
  await eventually(async () => expect(await counted()).toBe('0'));

  worker = await startProcess({ databaseUrl: database.url, env: { ROLE: 'worker' } });
  await eventually(async () => expect(await readiness()).toEqual([200, 'ok']));
  await eventually(async () => expect(await stopped()).toEqual([{ name: 'Workers', isOpen: false }]));
  await eventually(async () => expect(await counted()).toBe('1'));
});
