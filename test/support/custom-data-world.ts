import { randomUUID } from 'node:crypto';

import { createMemoryPorts } from '../memory/index.ts';
import { createMemoryState, table } from '../memory/state.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import type { DeliveryRepository } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import type { MetaobjectRepository } from '../../src/domain/ports/custom-data/metaobject-repository.ts';
import type { SubscriptionRepository } from '../../src/domain/ports/webhooks/subscription-repository.ts';
import type { Transaction } from '../../src/domain/ports/transaction.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openTestDatabase } from './postgres.ts';

const uuid = (end: number): string => `00000000-0000-4000-8000-${String(end).padStart(12, '0')}`;

/**
 * Two stores; `appA` and `otherA` are live on the first, `gone` was uninstalled there; `appB` is
 * live on the second, with no secret.
 */
export const ids = {
  storeA: uuid(1),
  storeB: uuid(2),
  appA: uuid(11),
  otherA: uuid(12),
  gone: uuid(13),
  appB: uuid(14),
  categoryA: uuid(21),
  deletedCategoryA: uuid(22),
  categoryB: uuid(23),
  nowhere: uuid(99),
};

export interface CustomDataWorld {
  readonly deliveries: DeliveryRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly metaobjects: MetaobjectRepository;
  readonly transaction: Transaction;
  readonly nextId: () => string;
  readonly close: () => Promise<void>;
}

const stores = [ids.storeA, ids.storeB];
const apps = [
  { id: ids.appA, storeId: ids.storeA, status: 'Installed', secret: true },
  { id: ids.otherA, storeId: ids.storeA, status: 'Installed', secret: true },
  { id: ids.gone, storeId: ids.storeA, status: 'Uninstalled', secret: false },
  { id: ids.appB, storeId: ids.storeB, status: 'Installed', secret: false },
];
const categories = [
  { id: ids.categoryA, storeId: ids.storeA, deletedAt: null },
  { id: ids.deletedCategoryA, storeId: ids.storeA, deletedAt: '2026-01-01T00:00:00.000Z' },
  { id: ids.categoryB, storeId: ids.storeB, deletedAt: null },
];
const scopes = ['read_products'];
const at = '2026-01-01T00:00:00.000Z';

export const openMemoryWorld = async (): Promise<CustomDataWorld> => {
  const state = createMemoryState();
  for (const id of stores) {
    table(state, 'stores').set(id, {
      id,
      domain: `${id}.example`,
      name: id,
      currency: 'USD',
      status: 'Active',
      createdAt: at,
      updatedAt: null,
    });
  }
  for (const { secret, ...app } of apps) {
    const more = { name: app.id, clientId: app.id, scopes, createdAt: at, updatedAt: null, uninstalledAt: null };
    table(state, 'installations').set(app.id, { ...app, ...more });
    if (secret)
      table(state, 'signing_secrets').set(randomUUID(), { installationId: app.id, kept: 'sealed', expiresAt: Infinity });
  }
  for (const category of categories) table(state, 'categories').set(`${category.storeId}/${category.id}`, category);
  const options = { clock: systemClock, ids: { ...sequentialIds(), next: randomUUID }, idempotencyTtlSeconds: 86_400 };
  return { ...createMemoryPorts(options, state), nextId: sequentialIds().next, close: () => Promise.resolve() };
};

export const openPrismaWorld = async (): Promise<CustomDataWorld> => {
  const database = await openTestDatabase();
  for (const id of stores)
    await database.query('INSERT INTO stores (id, domain, name, currency) VALUES ($1, $2, $2, $3)', [id, `${id}.example`, 'USD']);
  for (const { id, storeId, status, secret } of apps) {
    await database.query(
      `INSERT INTO installations (id, store_id, name, client_id, scopes, status, uninstalled_at)
       VALUES ($1::text::uuid, $2, 'App', $1::text, $3, $4::text, CASE WHEN $4::text = 'Uninstalled' THEN now() END)`,
      [id, storeId, scopes, status],
    );
    if (secret) {
      await database.query("INSERT INTO signing_secrets (id, installation_id, sealed) VALUES ($1, $2, 'sealed')", [
        randomUUID(),
        id,
      ]);
    }
  }
  for (const { id, storeId, deletedAt } of categories) {
    await database.query('INSERT INTO categories (store_id, id, name, deleted_at) VALUES ($1, $2, $3, $4)', [
      storeId,
      id,
      'C',
      deletedAt,
    ]);
  }
  const options = { clock: systemClock, ids: { ...sequentialIds(), next: randomUUID }, idempotencyTtlSeconds: 86_400 };
  return { ...createPrismaPorts(database, options), nextId: sequentialIds().next, close: () => database.close() };
};
