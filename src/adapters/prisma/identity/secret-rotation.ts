import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import type { Rotated } from '../../../domain/ports/identity/installation-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { endSessionsAfter } from './session-end.ts';
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
const ending = (table: string): string => `
  UPDATE ${table} SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => $overlapSeconds))
  WHERE store_id = $storeId AND installation_id = $id`;

const forgetting = (table: string): string =>
  `DELETE FROM ${table} WHERE store_id = $storeId AND installation_id = $id AND expires_at < now()`;

const CLIENT_SECRETS = {
  forget: statement({ text: forgetting('client_secrets'), parameters: INSTALLATION }),
  end: statement({ text: ending('client_secrets'), parameters: { ...INSTALLATION, overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO client_secrets (store_id, installation_id, id, hash) VALUES ($storeId, $id, $secretId, $hash)',
    parameters: { ...INSTALLATION, secretId: 'uuid', hash: 'bytea' },
  }),
};

const SIGNING_SECRETS = {
  forget: statement({ text: forgetting('signing_secrets'), parameters: INSTALLATION }),
  end: statement({ text: ending('signing_secrets'), parameters: { ...INSTALLATION, overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO signing_secrets (store_id, installation_id, id, sealed) VALUES ($storeId, $id, $secretId, $sealed)',
    parameters: { ...INSTALLATION, secretId: 'uuid', sealed: 'text' },
  }),
};

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
    const [row] = await sql.rows(PREVIOUS_EXPIRES_AT, { overlapSeconds });
    return row ?? null;
  });

export const rotateClientSecret = (
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

export const rotateSigningSecret = (
  database: Database,
  rotating: Rotating,
  secret: { id: string; sealed: string },
  overlapSeconds: number,
) =>
  rotate(database, rotating, overlapSeconds, SIGNING_SECRETS, (sql) =>
    sql.execute(SIGNING_SECRETS.add, { ...rotating, secretId: secret.id, sealed: secret.sealed }),
  );
