import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/adapters/node/clock.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { apps, categories, scopes, stores, type CustomDataWorld } from '../custom-data-world.ts';

export const postgresqlCustomDataWorld = async (): Promise<CustomDataWorld> => {
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
      await database.query("INSERT INTO signing_secrets (store_id, id, installation_id, sealed) VALUES ($1, $2, $3, 'sealed')", [
        storeId,
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
