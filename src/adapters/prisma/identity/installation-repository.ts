import type { Installation, InstallationStatus } from '../../../domain/identity/installation.ts';
import { commonScopes, type Scope } from '../../../domain/identity/scope.ts';
import { placedPageOf } from '../../../domain/page.ts';
import {
  MAX_PREVIEWED,
  type UninstallPreview,
  type InstallationRemoval,
  type InstallationRepository,
} from '../../../domain/ports/identity/installation-repository.ts';
import type { Leasable } from '../../../domain/ports/work-lease.ts';
import type { EventType } from '../../../domain/webhooks/event.ts';
import { typesLost } from '../../../domain/webhooks/subscription.ts';
import { Prisma, type Installation as Created } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { pageValues } from '../connection/list-page.ts';
import type { TransactionSql, Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { endQueued, subscriptionsOf } from '../webhooks/queue/ending.ts';
import { sendableRows } from '../webhooks/queue/queue-row.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';
import { wakeFeed } from '../work/feed-wake.ts';
import { excludeKeys } from '../work/key-lock.ts';
import { blockLeases, stopWork, type AnnounceStop } from '../work/stop-work.ts';
import {
  SHARE,
  SHARE_STORE,
  COUNT_STORE_INSTALLATIONS,
  CREDENTIALS,
  CREDENTIALS_OF_MANY,
  DELETE_SUBSCRIPTIONS,
  END_INSTALLATION,
  GET_INSTALLATION,
  LIST_INSTALLATIONS,
  REVOKE_TOKENS,
  SIGNING_SECRETS,
  UPDATE_INSTALLATION,
  type InstallationRow,
} from './installation-statements.ts';
import { lockedStatus, purgeSigningSecrets, replaceClientSecret, replaceSigningSecret } from './secret-rotation.ts';
import { revokeSessions } from './session-end.ts';
import type { StoreDirectory } from './store-directory.ts';

/** Reads one row more than is counted, to see whether there are more. `rows` is SQL. */
const counted = (rows: string): string => `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT $limit) AS counted)`;

/** Each table is read by an index that begins with the owner, and for at most `limit` rows. */
const PREVIEW = statement({
  text: `
    SELECT ${counted(`subscriptions s CROSS JOIN LATERAL (${sendableRows('$storeId', 's.id', '$limit')}) q WHERE s.store_id = $storeId AND s.installation_id = i.id`)} AS deliveries,
      ${counted('subscriptions WHERE store_id = $storeId AND installation_id = i.id')} AS subscriptions,
      ${counted('access_tokens WHERE store_id = $storeId AND installation_id = i.id AND expires_at > clock_timestamp()')} AS tokens,
      ${counted('media_imports WHERE store_id = $storeId AND installation_id = i.id AND ended_at IS NULL')} AS "mediaImports"
    FROM installations i WHERE i.store_id = $storeId AND i.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', limit: 'int8' },
  row: { deliveries: 'int4', subscriptions: 'int4', tokens: 'int4', mediaImports: 'int4' },
});

/** Counts what an uninstall would end now. Null when the installation does not exist. */
const previewUninstall = async (database: Database, storeId: string, id: string): Promise<UninstallPreview | null> => {
  const [row] = await database.rows(PREVIEW, { storeId, id, limit: MAX_PREVIEWED + 1 });
  if (!row) return null;
  const bounded = (count: number): number => Math.min(count, MAX_PREVIEWED);
  const { deliveries, subscriptions, tokens, mediaImports } = row;
  return {
    deliveries: bounded(deliveries),
    subscriptions: bounded(subscriptions),
    tokens: bounded(tokens),
    mediaImports: bounded(mediaImports),
    isComplete: [deliveries, subscriptions, tokens, mediaImports].every((count) => count <= MAX_PREVIEWED),
  };
};

const shareInstallation =
  (sql: TransactionSql): InstallationRemoval['share'] =>
  async (storeId, id) => {
    sql.enqueue(SHARE_STORE, { storeId });
    return (await sql.execute(SHARE, { storeId, id })) > 0;
  };

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

export const installationOf = (row: InstallationRow): Installation => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: iso(row.updatedAt),
  uninstalledAt: iso(row.uninstalledAt),
  previousClientSecretExpiresAt: iso(row.previousClientSecretExpiresAt),
  previousSigningSecretExpiresAt: iso(row.previousSigningSecretExpiresAt),
});

const find = async (sql: Sql, of: Leasable): Promise<Installation | null> =>
  (await sql.rows(GET_INSTALLATION, of)).map(installationOf)[0] ?? null;

// The CHECKs of the columns and the schemas of the routes allow only these values.
const created = ({ appId: platformAppId, toldStatus: _, toldScopes: __, ...row }: Created): Installation =>
  installationOf({
    ...row,
    platformAppId,
    scopes: row.scopes as Scope[],
    status: row.status as InstallationStatus,
    previousClientSecretExpiresAt: null,
    previousSigningSecretExpiresAt: null,
  });

/**
 * Returns the types that the app can receive now and no longer with these scopes. The block makes
 * such changes of one app happen one after the other.
 */
const losesTypes = async (sql: Sql, of: Leasable, scopes: readonly Scope[]): Promise<readonly EventType[]> => {
  await blockLeases(sql, 'installation', of.id);
  const [row] = await sql.rows(GET_INSTALLATION, of);
  if (!row) return [];
  return typesLost(row.scopes, row.platformAppId === null ? scopes : commonScopes(scopes, row.scopes));
};

const endAccess = async (sql: Sql, storeId: string, id: string): Promise<void> => {
  await sql.execute(REVOKE_TOKENS, { storeId, id });
  await revokeSessions(sql, storeId, id);
  await wakeFeed(sql, 'installation', id);
};

const takeAway = async (sql: Sql, { id, storeId }: Leasable, lost: readonly EventType[]): Promise<void> => {
  if (lost.length === 0) return;
  await excludeFanOut(sql, storeId);
  await endQueued(sql, storeId, 'Dropped', await subscriptionsOf(sql, storeId, id), lost);
};

export const installationRepository = (
  database: Database,
  directory: StoreDirectory,
  announce?: AnnounceStop,
): InstallationRepository => ({
  create: ({ clientSecret, signingSecret, ...installation }) =>
    database
      .prisma()
      .installation.create({
        data: {
          ...installation,
          scopes: [...installation.scopes],
          clientSecrets: { create: { id: clientSecret.id, hash: bytesOfHex(clientSecret.hash) } },
          signingSecrets: { create: signingSecret },
        },
      })
      .then(created, (error: unknown) => {
        // The foreign key to the store.
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003') return null;
        throw error;
      }),
  get: (storeId, id) => find(database, { storeId, id }),
  list: async (storeId, page, { q, statuses, ids } = {}) => {
    const filter = { storeId, q: q ?? null, statuses: statuses ?? null, ids: ids ?? null };
    const [[count], rows] = await Promise.all([
      database.rows(COUNT_STORE_INSTALLATIONS, filter),
      database.rows(LIST_INSTALLATIONS, { ...filter, ...pageValues(page) }),
    ]);
    return count ? placedPageOf(rows.map(installationOf), page, count.n) : null;
  },
  update: (storeId, id, { name, scopes, status }) =>
    database.transaction(async (sql) => {
      const lost = scopes ? await losesTypes(sql, { storeId, id }, scopes) : [];
      const stops = status === 'Suspended' || lost.length > 0;
      if (stops) await stopWork(sql, 'installation', { storeId, id }, { announce });
      const current = await lockedStatus(sql, storeId, id);
      if (current !== 'live') return current;
      sql.enqueue(UPDATE_INSTALLATION, { storeId, id, name: name ?? null, scopes: scopes ?? null, status: status ?? null });
      if (status === 'Suspended') await endAccess(sql, storeId, id);
      if (stops) await takeAway(sql, { storeId, id }, lost);
      return find(sql, { storeId, id });
    }),
  rotateClientSecret: (storeId, id, secret, overlapSeconds) =>
    replaceClientSecret(database, { storeId, id }, { id: secret.id, hash: bytesOfHex(secret.hash) }, overlapSeconds),
  rotateSigningSecret: (storeId, id, secret, overlapSeconds) =>
    replaceSigningSecret(database, { storeId, id }, secret, overlapSeconds),
  purgeSigningSecrets: (limit) => purgeSigningSecrets(database, limit),
  signingSecrets: async (storeId, id) => (await database.rows(SIGNING_SECRETS, { storeId, id })).map(({ sealed }) => sealed),
  credentials: (clientId, domain) =>
    directory.find(domain, async (storeId) => {
      const parameters = { storeId, domain, clientId };
      const [client] = await database.pipeline.rows(CREDENTIALS, parameters);
      if (client) return client;
      return (await database.pipeline.rows(CREDENTIALS_OF_MANY, parameters))[0] ?? null;
    }),
  previewUninstall: (storeId, id) => previewUninstall(database, storeId, id),
});

const removeSubscriptions = async (sql: Sql, storeId: string, id: string): Promise<void> => {
  await excludeFanOut(sql, storeId);
  await endQueued(sql, storeId, 'Dropped', await subscriptionsOf(sql, storeId, id));
  await sql.execute(DELETE_SUBSCRIPTIONS, { storeId, id });
};

export const installationRemoval = (sql: TransactionSql, announce?: AnnounceStop): InstallationRemoval => ({
  share: shareInstallation(sql),
  uninstall: async (storeId, id) => {
    await stopWork(sql, 'installation', { storeId, id }, { announce });
    await sql.execute(SHARE_STORE, { storeId });
    const status = await lockedStatus(sql, storeId, id);
    if (status === null) return null;
    if (status === 'live') {
      await endAccess(sql, storeId, id);
      // No request under a key ends after the uninstall has answered. It comes before the fan-outs are excluded, which then
      // wait for nothing long.
      await excludeKeys(sql, id);
      await removeSubscriptions(sql, storeId, id);
      await sql.execute(END_INSTALLATION, { storeId, id });
    }
    const installation = await find(sql, { storeId, id });
    return installation && { installation, changed: status === 'live' };
  },
});
