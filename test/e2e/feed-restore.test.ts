import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { FOLDER } from '../../src/adapters/prisma/connection/migrations.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { backup } from '../../src/adapters/wiring/archive/backup.ts';
import { importStore, restore } from '../../src/adapters/wiring/archive/restore.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import type { FeedPlace } from '../../src/domain/webhooks/feed-place.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { anySql, createEmptyDatabase, openTestDatabase } from '../support/postgres.ts';
import { SETTINGS } from '../support/server.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';
const READER = { storeId: STORE, installationId: null, types: null, take: 10 };

const ids = sequentialIds();
const portsOf = (database: Database) => createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });

const place = async (database: Database, count: number): Promise<FeedPlace> => {
  const ports = portsOf(database);
  const event = { storeId: STORE, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
  await ports.transaction.run(null, (tx) => tx.events.append(Array.from({ length: count }, () => event)));
  await ports.deliveries.fanOut(STORE, count);
  const newest = await ports.eventFeed.newest(STORE);
  if (newest === null) throw new Error('no store');
  return newest;
};
const read = (database: Database, after: FeedPlace) => portsOf(database).eventFeed.read({ ...READER, after });

let folder: string;
let config: Config;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-epochs-'));
  const parsed = parseConfig({ ...SETTINGS, ROLE: 'api', LOG_LEVEL: 'silent', MEDIA_STORAGE: join(folder, 'media') });
  if (!parsed.ok) throw new Error(parsed.message);
  config = parsed.value as Config;
  closers.push(() => rm(folder, { recursive: true }));
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const settings = ({ url }: { url: string }) => ({ ...config, DATABASE_URL: url });

/** Three events of the feed are in the file, and the fourth came after it. */
const aFeed = async (file: string, store?: string) => {
  const own = await openTestDatabase();
  closers.push(() => own.close());
  await own.prisma().store.create({ data: { id: STORE, domain: 'a.test', name: 'Store', currency: 'EUR' } });
  const saved = await place(own, 3);
  await backup(settings(own), { file, ...(store !== undefined && { store }) });
  return { saved, lost: await place(own, 1) };
};

const judge = async (database: Database, { saved, lost }: { saved: FeedPlace; lost: FeedPlace }): Promise<void> => {
  const changed = { kind: 'expired', reason: 'history_changed', oldest: { position: 3 } };
  expect(await read(database, lost)).toMatchObject(changed);
  // The position of the lost event is given again.
  await place(database, 2);
  expect(await read(database, lost)).toMatchObject(changed);
  expect(await read(database, saved)).toMatchObject({ kind: 'page', next: { position: 5 } });
};

it('a restore of a backup from before the epochs begins one, also where the answer to its COMMIT is lost', async () => {
  const older = join(folder, 'migrations');
  const isOlder = (path: string): boolean => !/^\d{14}_/.test(basename(path)) || basename(path) < '20261124040000';
  await cp(FOLDER, older, { recursive: true, filter: isOlder });
  const [from, to] = [await createEmptyDatabase(), await createEmptyDatabase()];
  closers.push(from.drop, to.drop);
  const source = openDatabase({ url: from.url });
  await migrate(source, { folder: older });
  const store = `INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'a.test', 'Store', 'EUR')`;
  await anySql(source).query(store);
  await source.close();
  const file = join(folder, 'older.backup');
  await backup(settings(from), { file });

  const proxy = await openTcpProxy(to.url);
  closers.push(() => proxy.close());
  void proxy.loseAnswerTo('COMMIT\0');
  await expect(restore(settings(proxy), { file })).rejects.toThrow('it is not known whether');
  const database = openDatabase({ url: to.url });
  closers.push(() => database.close());
  // The next start migrates.
  await migrate(database);
  expect(await anySql(database).query('SELECT id FROM stores')).toEqual([{ id: STORE }]);
  expect(await anySql(database).query('SELECT FROM epochs WHERE server_start IS NULL')).toHaveLength(1);
});

describe('a cursor from after the file was written expires, and one from before it continues', () => {
  it('after a restore', async () => {
    const file = join(folder, 'a.backup');
    const places = await aFeed(file);
    const empty = await createEmptyDatabase();
    closers.push(() => empty.drop());
    await restore(settings(empty), { file });
    const database = openDatabase({ url: empty.url });
    closers.push(() => database.close());
    await judge(database, places);
  });

  it('after the import of a store, also where the server of both is in the same epoch', async () => {
    const file = join(folder, 'a.store');
    const places = await aFeed(file, STORE);
    const other = await openTestDatabase();
    closers.push(() => other.close());
    await importStore(settings(other), { file });
    await judge(other, places);
  });
});
