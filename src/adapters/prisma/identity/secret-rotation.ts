import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import type { Rotated } from '../../../domain/ports/identity/installation-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { endSessionsAfter, endSessionsOfAppAfter } from './session-end.ts';
import { statement } from '../connection/statement.ts';

const INSTALLATION = { storeId: 'uuid', id: 'uuid' } as const;

const STATUS = statement({
  text: 'SELECT status FROM installations WHERE store_id = $storeId AND id = $id FOR NO KEY UPDATE',
  parameters: INSTALLATION,
  row: { status: oneOf('text', INSTALLATION_STATUSES) },
});

/** Locks the installation until the transaction ends; null when there is none. */
export const lockedStatus = async (sql: Sql, storeId: string, id: string): Promise<'live' | 'uninstalled' | null> => {
  const [row] = await sql.rows(STATUS, { storeId, id });
  if (!row) return null;
  return row.status === 'Uninstalled' ? 'uninstalled' : 'live';
};

/**
 * Rounded down, so that an overlap of 0 ends before the next statement. LEAST skips the null of the
 * newest.
 */
const ending = (table: string, owned: string): string => `
  UPDATE ${table} SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => $overlapSeconds))
  WHERE ${owned}`;

const forgetting = (table: string, owned: string): string => `DELETE FROM ${table} WHERE ${owned} AND expires_at < now()`;

const OWNED = 'store_id = $storeId AND installation_id = $id';
const OF_APP = 'app_id = $id';
const APP = { id: 'uuid' } as const;

const CLIENT_SECRETS = {
  forget: statement({ text: forgetting('client_secrets', OWNED), parameters: INSTALLATION }),
  end: statement({ text: ending('client_secrets', OWNED), parameters: { ...INSTALLATION, overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO client_secrets (store_id, installation_id, id, hash) VALUES ($storeId, $id, $secretId, $hash)',
    parameters: { ...INSTALLATION, secretId: 'uuid', hash: 'bytea' },
  }),
};

const SIGNING_SECRETS = {
  forget: statement({ text: forgetting('signing_secrets', OWNED), parameters: INSTALLATION }),
  end: statement({ text: ending('signing_secrets', OWNED), parameters: { ...INSTALLATION, overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO signing_secrets (store_id, installation_id, id, sealed) VALUES ($storeId, $id, $secretId, $sealed)',
    parameters: { ...INSTALLATION, secretId: 'uuid', sealed: 'text' },
  }),
};

const PLATFORM_CLIENT_SECRETS = {
  forget: statement({ text: forgetting('platform_client_secrets', OF_APP), parameters: APP }),
  end: statement({ text: ending('platform_client_secrets', OF_APP), parameters: { ...APP, overlapSeconds: 'float8' } }),
};

const PLATFORM_SIGNING_SECRETS = {
  forget: statement({ text: forgetting('platform_signing_secrets', OF_APP), parameters: APP }),
  end: statement({ text: ending('platform_signing_secrets', OF_APP), parameters: { ...APP, overlapSeconds: 'float8' } }),
};

export const ADD_PLATFORM_CLIENT_SECRET = statement({
  text: 'INSERT INTO platform_client_secrets (id, app_id, hash) VALUES ($secretId, $id, $hash)',
  parameters: { ...APP, secretId: 'uuid', hash: 'bytea' },
});

export const ADD_PLATFORM_SIGNING_SECRET = statement({
  text: 'INSERT INTO platform_signing_secrets (id, app_id, sealed) VALUES ($secretId, $id, $sealed)',
  parameters: { ...APP, secretId: 'uuid', sealed: 'text' },
});

const EXPIRED = expired('signing_secrets');
const PURGE = { find: statement(findOldest(EXPIRED)), end: statement(removal(EXPIRED)) };

const PURGE_OF_APPS = statement({
  text: `
    DELETE FROM platform_signing_secrets WHERE id = ANY (ARRAY(
      SELECT id FROM platform_signing_secrets WHERE expires_at < statement_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { limit: 'int8' },
});

export const LOCK_APP = statement({ text: 'SELECT FROM platform_apps WHERE id = $id FOR NO KEY UPDATE', parameters: APP });

const PREVIOUS_EXPIRES_AT = statement({
  text: `SELECT iso(date_trunc('milliseconds', now()) + make_interval(secs => $overlapSeconds)) AS "previousExpiresAt"`,
  parameters: { overlapSeconds: 'float8' },
  row: { previousExpiresAt: 'text' },
});

/** The installation, in its store. */
interface Rotating {
  readonly storeId: string;
  readonly id: string;
}

type Secrets = Pick<typeof CLIENT_SECRETS, 'forget' | 'end'>;
type PlatformSecrets = typeof PLATFORM_CLIENT_SECRETS;

const previousExpiresAt = async (sql: Sql, overlapSeconds: number): Promise<Rotated | null> =>
  (await sql.rows(PREVIOUS_EXPIRES_AT, { overlapSeconds }))[0] ?? null;

/**
 * The lock on the installation makes rotations happen one after the other, so exactly one secret
 * has no end.
 */
const rotate = (
  database: Database,
  { storeId, id }: Rotating,
  overlapSeconds: number,
  { forget, end }: Secrets,
  add: (sql: Sql) => Promise<number>,
): Promise<Rotated | 'uninstalled' | null> =>
  database.transaction(async (sql) => {
    const status = await lockedStatus(sql, storeId, id);
    if (status !== 'live') return status;
    await sql.execute(forget, { storeId, id });
    await sql.execute(end, { storeId, id, overlapSeconds });
    await add(sql);
    return previousExpiresAt(sql, overlapSeconds);
  });

/** Rotates under the lock on a platform app. */
const rotateOfApp = (
  database: Database,
  id: string,
  overlapSeconds: number,
  { forget, end }: PlatformSecrets,
  add: (sql: Sql) => Promise<number>,
): Promise<Rotated | null> =>
  database.transaction(async (sql) => {
    if ((await sql.execute(LOCK_APP, { id })) === 0) return null;
    await sql.execute(forget, { id });
    await sql.execute(end, { id, overlapSeconds });
    await add(sql);
    return previousExpiresAt(sql, overlapSeconds);
  });

export const replaceClientSecret = (
  database: Database,
  rotating: Rotating,
  secret: { id: string; hash: Buffer },
  overlapSeconds: number,
) =>
  rotate(database, rotating, overlapSeconds, CLIENT_SECRETS, async (sql) => {
    // A session outlives none of the secrets that could have started it.
    await endSessionsAfter(sql, rotating.storeId, rotating.id, overlapSeconds);
    return sql.execute(CLIENT_SECRETS.add, { ...rotating, secretId: secret.id, hash: secret.hash });
  });

export const replaceSigningSecret = (
  database: Database,
  rotating: Rotating,
  secret: { id: string; sealed: string },
  overlapSeconds: number,
) =>
  rotate(database, rotating, overlapSeconds, SIGNING_SECRETS, (sql) =>
    sql.execute(SIGNING_SECRETS.add, { ...rotating, secretId: secret.id, sealed: secret.sealed }),
  );

export const replacePlatformClientSecret = (
  database: Database,
  id: string,
  secret: { id: string; hash: Buffer },
  overlapSeconds: number,
) =>
  rotateOfApp(database, id, overlapSeconds, PLATFORM_CLIENT_SECRETS, async (sql) => {
    await endSessionsOfAppAfter(sql, id, overlapSeconds);
    return sql.execute(ADD_PLATFORM_CLIENT_SECRET, { id, secretId: secret.id, hash: secret.hash });
  });

export const replacePlatformSigningSecret = (
  database: Database,
  id: string,
  secret: { id: string; sealed: string },
  overlapSeconds: number,
) =>
  rotateOfApp(database, id, overlapSeconds, PLATFORM_SIGNING_SECRETS, (sql) =>
    sql.execute(ADD_PLATFORM_SIGNING_SECRET, { id, secretId: secret.id, sealed: secret.sealed }),
  );

export const purgeSigningSecrets = (sql: Sql, limit: number): Promise<number> => endOldest(sql, PURGE, 0, limit);

export const purgePlatformSigningSecrets = (sql: Sql, limit: number): Promise<number> => sql.execute(PURGE_OF_APPS, { limit });
