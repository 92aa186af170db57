import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import type { Rotated } from '../../../domain/ports/identity/installation-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { endSessionsAfter } from './session-end.ts';
import { statement } from '../connection/statement.ts';

const STATUS = statement({
  text: 'SELECT status FROM installations WHERE id = $id FOR NO KEY UPDATE',
  parameters: { id: 'uuid' },
  row: { status: oneOf('text', INSTALLATION_STATUSES) },
});

/** Locks the installation until the transaction ends; null when there is none. */
export const lockedStatus = async (sql: Sql, id: string): Promise<'live' | 'uninstalled' | null> => {
  const [row] = await sql.rows(STATUS, { id });
  if (!row) return null;
  return row.status === 'Uninstalled' ? 'uninstalled' : 'live';
};

/**
 * Rounded down, so that an overlap of 0 ends before the next statement. LEAST skips the null of the
 * newest.
 */
const ending = (table: string): string => `
  UPDATE ${table} SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => $overlapSeconds))
  WHERE installation_id = $id`;

const forgetting = (table: string): string => `DELETE FROM ${table} WHERE installation_id = $id AND expires_at < now()`;

const CLIENT_SECRETS = {
  forget: statement({ text: forgetting('client_secrets'), parameters: { id: 'uuid' } }),
  end: statement({ text: ending('client_secrets'), parameters: { id: 'uuid', overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO client_secrets (installation_id, id, hash) VALUES ($id, $secretId, $hash)',
    parameters: { id: 'uuid', secretId: 'uuid', hash: 'bytea' },
  }),
};

const SIGNING_SECRETS = {
  forget: statement({ text: forgetting('signing_secrets'), parameters: { id: 'uuid' } }),
  end: statement({ text: ending('signing_secrets'), parameters: { id: 'uuid', overlapSeconds: 'float8' } }),
  add: statement({
    text: 'INSERT INTO signing_secrets (installation_id, id, sealed) VALUES ($id, $secretId, $sealed)',
    parameters: { id: 'uuid', secretId: 'uuid', sealed: 'text' },
  }),
};

const PREVIOUS_EXPIRES_AT = statement({
  text: `SELECT iso(date_trunc('milliseconds', now()) + make_interval(secs => $overlapSeconds)) AS "previousExpiresAt"`,
  parameters: { overlapSeconds: 'float8' },
  row: { previousExpiresAt: 'text' },
});

type Secrets = Pick<typeof CLIENT_SECRETS, 'forget' | 'end'>;

/**
 * The lock on the installation makes rotations happen one after the other, so exactly one secret
 * has no end.
 */
const rotate = (
  database: Database,
  id: string,
  overlapSeconds: number,
  { forget, end }: Secrets,
  add: (sql: Sql) => Promise<number>,
): Promise<Rotated | 'uninstalled' | null> =>
  database.transaction(async (sql) => {
    const status = await lockedStatus(sql, id);
    if (status !== 'live') return status;
    await sql.execute(forget, { id });
    await sql.execute(end, { id, overlapSeconds });
    await add(sql);
    const [row] = await sql.rows(PREVIOUS_EXPIRES_AT, { overlapSeconds });
    return row ?? null;
  });

export const rotateClientSecret = (
  database: Database,
  id: string,
  secret: { id: string; hash: Buffer },
  overlapSeconds: number,
) =>
  rotate(database, id, overlapSeconds, CLIENT_SECRETS, async (sql) => {
    // A session outlives none of the secrets that could have started it.
    await endSessionsAfter(sql, id, overlapSeconds);
    return sql.execute(CLIENT_SECRETS.add, { id, secretId: secret.id, hash: secret.hash });
  });

export const rotateSigningSecret = (
  database: Database,
  id: string,
  secret: { id: string; sealed: string },
  overlapSeconds: number,
) =>
  rotate(database, id, overlapSeconds, SIGNING_SECRETS, (sql) =>
    sql.execute(SIGNING_SECRETS.add, { id, secretId: secret.id, sealed: secret.sealed }),
  );
