import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { runIdempotently, type OnceResult } from '../../src/application/idempotency/run-idempotently.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';

const FINGERPRINT = '1'.repeat(64);
const ids = sequentialIds();
const [storeId, installationId] = [ids.next(), ids.next()];
const scope = { storeId, installationId, key: 'a key' };
const exits = new EventEmitter();

let dataDir: string;
let server: EmbeddedPostgres;
let database: Database;

/** An unawaited write reaches the disk long after this test. */
const start = async (): Promise<void> => {
  const onUnexpectedExit = (): void => void exits.emit('exit');
  server = await startEmbeddedPostgres({ dataDir, onUnexpectedExit, settings: { wal_writer_delay: '10s' } });
  database = openDatabase({ url: server.url });
};

const crash = async (): Promise<void> => {
  const exited = once(exits, 'exit');
  process.kill(server.pid, 'SIGQUIT');
  await exited;
};

const restart = async (): Promise<void> => {
  await database.close();
  await server.stop();
  await start();
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenon-claim-'));
  await start();
  await migrate(database);
  await database.pool.query(`INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'a.example', 'A', 'EUR')`, [storeId]);
  await database.pool.query(`INSERT INTO installations (id, store_id, name, client_id) VALUES ($1, $2, 'App', 'client')`, [
    installationId,
    storeId,
  ]);
});
afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const portsNow = () => createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });

/** A request with the key, whose work is an event. */
const send = (onWork: () => Promise<void> = () => Promise.resolve()): Promise<OnceResult> =>
  runIdempotently(portsNow(), 1_000)({ cause: null, scope, fingerprint: FINGERPRINT }, async (tx: TransactionPorts) => {
    await tx.events.append([{ storeId, type: 'product.updated', resourceId: 'r', origin: null, data: {} }]);
    await onWork();
    return { status: 200, headers: {}, body: Buffer.from('done') };
  });

const left = async () => ({
  key: (await portsNow().idempotency.find(scope))?.record.state ?? null,
  events: (await database.pool.query('SELECT FROM events')).rowCount,
});

it('a crash of PostgreSQL right after the claim loses it, and nothing that was answered is ever lost', async () => {
  await expect(send(crash)).rejects.toThrow();
  await restart();
  expect(await left()).toEqual({ key: null, events: 0 });

  expect(await send()).toMatchObject({ ok: true, value: { isReplay: false } });
  await crash();
  await restart();
  expect(await left()).toEqual({ key: 'finished', events: 1 });
  expect(await send()).toMatchObject({ ok: true, value: { isReplay: true } });
  expect(await left()).toEqual({ key: 'finished', events: 1 });
});
