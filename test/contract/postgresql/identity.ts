import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createWorkLeases } from '../../../src/adapters/prisma/work/work-lease.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { claimKey } from '../../support/claim-key.ts';
import { KEY_SECONDS, type IdentityWorld } from '../identity-worlds.ts';
import { moveBack } from './move-back.ts';
import { onOwnSession } from '../../support/own-session.ts';

const OF_PLATFORM_APPS = ['platform_client_secrets', 'platform_signing_secrets', 'install_requests'];

export const postgresqlIdentityWorld = async (): Promise<IdentityWorld> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const leases = onOwnSession(database.url, (session) => createWorkLeases({ session, sql: database }));
  const ports = createPrismaPorts(database, {
    clock: manualClock(),
    ids,
    idempotencyTtlSeconds: KEY_SECONDS,
    announceStop: leases.announceStop,
  });
  return {
    ports,
    ids,
    leases,
    pass: async (seconds) => {
      for (const name of ['access_tokens', 'client_secrets', 'signing_secrets', ...OF_PLATFORM_APPS]) {
        await moveBack(database, name, ['expires_at'], seconds);
      }
      await moveBack(database, 'console_sessions', ['created_at', 'expires_at'], seconds);
      await moveBack(database, 'developer_sessions', ['created_at', 'ends_at', 'expires_at'], seconds);
      await moveBack(database, 'app_console_sessions', ['ends_at', 'expires_at'], seconds);
      await moveBack(database, 'operator_tokens', ['expires_at', 'last_used_at'], seconds);
      await moveBack(database, 'platform_apps', ['active_since'], seconds);
      await moveBack(database, 'store_erasures', ['at'], seconds);
      await moveBack(database, 'idempotency_records', ['finished_at'], seconds);
    },
    aSubscriptionAndAKey: async ({ id, storeId }) => {
      await database.query(
        `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types) VALUES ($1, $2, $3, 'https://x.test', '{order.paid}')`,
        [ids.next(), storeId, id],
      );
      await claimKey(ports, { storeId, installationId: id, key: 'k' }, '00'.repeat(32));
    },
    tokens: async (installationId, count) => {
      await database.query(
        `INSERT INTO access_tokens (store_id, hash, installation_id, expires_at)
         SELECT i.store_id, sha256(uuid_send(gen_random_uuid())), i.id, now() + interval '1 hour' FROM installations i, generate_series(1, $2::int) WHERE i.id = $1`,
        [installationId, count],
      );
    },
    keepInstallRequest: async ({ id, storeId, appId, scopes, redirectUrl, state }) => {
      await database.query(
        `INSERT INTO install_requests (store_id, id, app_id, scopes, redirect_url, state, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + interval '10 minutes')`,
        [storeId, id, appId, [...scopes], redirectUrl, state],
      );
    },
    owned: async (id) => {
      const [row] = await database.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM subscriptions WHERE installation_id = $1)::int
           + (SELECT count(*) FROM idempotency_records WHERE installation_id = $1)::int AS n`,
        [id],
      );
      return row?.n ?? -1;
    },
    close: async () => {
      await leases.close();
      await database.close();
    },
  };
};
