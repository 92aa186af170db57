import type { EventType } from '../../../domain/webhooks/event.ts';
import type { Installation, InstallationStatus } from '../../../domain/identity/installation.ts';
import type {
  ClientCredentials,
  InstallationRemoval,
  InstallationRepository,
} from '../../../domain/ports/installation-repository.ts';
import type { Scope } from '../../../domain/identity/scope.ts';
import { typesLost } from '../../../domain/webhooks/subscription.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Installation as InstallationRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { endQueued, subscriptionsOf } from '../webhooks/delivery-drop.ts';
import { blockLeases, stopWork } from '../work/stop-work.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';
import { lockedStatus, rotate } from './secret-rotation.ts';

// The columns' checks and the routes' schemas let these values in alone.
const installationOf = ({ createdAt, updatedAt, uninstalledAt, ...row }: InstallationRow): Installation => ({
  id: row.id,
  storeId: row.storeId,
  name: row.name,
  clientId: row.clientId,
  scopes: row.scopes as Scope[],
  status: row.status as InstallationStatus,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
  uninstalledAt: uninstalledAt?.toISOString() ?? null,
});

const bytes = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex, 'hex');

/** The columns under the names of the Prisma model. */
const COLUMNS = `id, store_id AS "storeId", name, client_id AS "clientId", scopes, status, created_at AS "createdAt",
  updated_at AS "updatedAt", uninstalled_at AS "uninstalledAt"`;

const revokeTokens = (sql: Sql, id: string): Promise<unknown> =>
  sql.query(`UPDATE access_tokens SET expires_at = '-infinity' WHERE installation_id = $1`, [id]);

/** What the app can receive now and no more with these scopes. The block makes such changes of one app happen one after the other. */
const losesTypes = async (sql: Sql, id: string, scopes: readonly Scope[]): Promise<readonly EventType[]> => {
  await blockLeases(sql, 'installation', id);
  const [row] = await sql.query<{ scopes: Scope[] }>('SELECT scopes FROM installations WHERE id = $1', [id]);
  return row ? typesLost(row.scopes, scopes) : [];
};

/** Drops the queued deliveries of these types. */
const takeAway = async (sql: Sql, { id, storeId }: InstallationRow, lost: readonly EventType[]): Promise<void> => {
  if (lost.length === 0) return;
  await excludeFanOut(sql, storeId);
  await endQueued(sql, 'Dropped', await subscriptionsOf(sql, id), lost);
};

export const installationRepository = (database: Database, announce?: AnnounceStop): InstallationRepository => ({
  create: ({ clientSecret, signingSecret, ...installation }) =>
    database.prisma.installation
      .create({
        data: {
          ...installation,
          scopes: [...installation.scopes],
          clientSecrets: { create: { id: clientSecret.id, hash: bytes(clientSecret.hash) } },
          signingSecrets: { create: signingSecret },
        },
      })
      .then(installationOf, (error: unknown) => {
        // The foreign key to the store.
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003') return null;
        throw error;
      }),
  get: async (id) => {
    const row = await database.prisma.installation.findUnique({ where: { id } });
    return row && installationOf(row);
  },
  list: async (storeId, { skip, take }) => {
    const { store, installation } = database.prisma;
    const [found, total, rows] = await Promise.all([
      store.count({ where: { id: storeId } }),
      installation.count({ where: { storeId } }),
      installation.findMany({ where: { storeId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], skip, take }),
    ]);
    return found === 0 ? null : { items: rows.map(installationOf), skip, take, total };
  },
  update: (id, { name, scopes, status }) =>
    database.transaction(async (sql) => {
      const lost = scopes ? await losesTypes(sql, id, scopes) : [];
      const stops = status === 'Suspended' || lost.length > 0;
      if (stops) await stopWork(sql, 'installation', id, { announce });
      const current = await lockedStatus(sql, id);
      if (current !== 'live') return current;
      const [row] = await sql.query<InstallationRow>(
        `UPDATE installations SET name = coalesce($2, name), scopes = coalesce($3, scopes), status = coalesce($4, status),
           updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, name ?? null, scopes ?? null, status ?? null],
      );
      if (status === 'Suspended') await revokeTokens(sql, id);
      if (row && stops) await takeAway(sql, row, lost);
      return row ? installationOf(row) : null;
    }),
  rotateClientSecret: (id, secret, overlapSeconds) =>
    rotate(database, 'client_secrets', id, { id: secret.id, kept: bytes(secret.hash) }, overlapSeconds),
  rotateSigningSecret: (id, secret, overlapSeconds) =>
    rotate(database, 'signing_secrets', id, { id: secret.id, kept: secret.sealed }, overlapSeconds),
  signingSecrets: async (id) => {
    const rows = await database.query<{ sealed: string }>(
      `SELECT sealed FROM signing_secrets WHERE installation_id = $1 AND (expires_at IS NULL OR expires_at > clock_timestamp())
       ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`,
      [id],
    );
    return rows.map((row) => row.sealed);
  },
  credentials: async (clientId, domain) => {
    const [row] = await database.pipeline.query<ClientCredentials>(
      `SELECT i.id AS "installationId", i.scopes, i.status, s.status AS "storeStatus",
         ARRAY(SELECT encode(c.hash, 'hex') FROM client_secrets c
               WHERE c.installation_id = i.id AND (c.expires_at IS NULL OR c.expires_at > clock_timestamp())) AS "secretHashes"
       FROM installations i JOIN stores s ON s.id = i.store_id
       WHERE i.client_id = $1 AND s.domain = $2`,
      [clientId, domain],
    );
    return row ?? null;
  },
});

const removeSubscriptions = async (sql: Sql, id: string): Promise<void> => {
  const [row] = await sql.query<{ storeId: string }>('SELECT store_id AS "storeId" FROM installations WHERE id = $1', [id]);
  if (row) await excludeFanOut(sql, row.storeId);
  await endQueued(sql, 'Dropped', await subscriptionsOf(sql, id));
  await sql.query('DELETE FROM subscriptions WHERE installation_id = $1', [id]);
};

export const installationRemoval = (sql: Sql, announce?: AnnounceStop): InstallationRemoval => ({
  uninstall: async (id) => {
    await stopWork(sql, 'installation', id, { announce });
    const status = await lockedStatus(sql, id);
    if (status === null) return null;
    if (status === 'live') {
      await revokeTokens(sql, id);
      // Waits for requests that still run under one of the keys: none ends after the uninstall has answered. Before the fan-outs are
      // excluded, which then wait for nothing long.
      await sql.query('DELETE FROM idempotency_records WHERE installation_id = $1', [id]);
      await removeSubscriptions(sql, id);
      await sql.query(
        `UPDATE installations SET status = 'Uninstalled', uninstalled_at = now(), updated_at = now() WHERE id = $1`,
        [id],
      );
    }
    const [row] = await sql.query<InstallationRow>(`SELECT ${COLUMNS} FROM installations WHERE id = $1`, [id]);
    return row ? { installation: installationOf(row), changed: status === 'live' } : null;
  },
});
