import { statement } from '../connection/statement.ts';
import { leaseLock } from './stop-work.ts';

/**
 * The lock ends with the connection. PostgreSQL grants a session its own lock again, so `leases`
 * keeps a process from asking twice.
 */
export const TAKE = {
  deliveries: statement({
    text: `
      SELECT installation_id AS "installationId", pg_try_advisory_lock(${leaseLock('deliveries', 'id')}) AS taken
      FROM subscriptions WHERE store_id = $storeId AND id = $id`,
    parameters: { storeId: 'uuid', id: 'uuid' },
    row: { installationId: 'uuid?', taken: 'bool' },
  }),
  imports: statement({
    text: `
      SELECT id AS "installationId", pg_try_advisory_lock(${leaseLock('imports', 'id')}) AS taken
      FROM installations WHERE store_id = $storeId AND id = $id`,
    parameters: { storeId: 'uuid', id: 'uuid' },
    row: { installationId: 'uuid', taken: 'bool' },
  }),
};

export const TRY_SCOPES = statement({
  text: `
    SELECT bool_and(pg_try_advisory_xact_lock_shared(hashtextextended('gate/' || scope, 0))) AS open
    FROM unnest($scopes::text[]) AS scope`,
  parameters: { scopes: 'text[]' },
  row: { open: 'bool' },
});

export const GIVE_UP = {
  deliveries: statement({
    text: `SELECT pg_advisory_unlock(${leaseLock('deliveries', '$id::uuid')}) AS freed`,
    parameters: { id: 'uuid' },
    row: { freed: 'bool' },
  }),
  imports: statement({
    text: `SELECT pg_advisory_unlock(${leaseLock('imports', '$id::uuid')}) AS freed`,
    parameters: { id: 'uuid' },
    row: { freed: 'bool' },
  }),
};
