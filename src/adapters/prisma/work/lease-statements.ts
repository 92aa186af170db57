import { statement } from '../connection/statement.ts';
import { leaseLock } from './stop-work.ts';

/**
 * The lock ends with the connection. PostgreSQL grants a session its own lock again, so `leases`
 * keeps a process from asking twice. No table is read: on Citus, the lock would be one of another server.
 */
export const TAKE = {
  deliveries: statement({
    text: `SELECT pg_try_advisory_lock(${leaseLock('deliveries', '$id::uuid')}) AS taken`,
    parameters: { id: 'uuid' },
    row: { taken: 'bool' },
  }),
  imports: statement({
    text: `SELECT pg_try_advisory_lock(${leaseLock('imports', '$id::uuid')}) AS taken`,
    parameters: { id: 'uuid' },
    row: { taken: 'bool' },
  }),
};

/** Whose work it is. */
export const OWNER = {
  deliveries: statement({
    text: 'SELECT installation_id AS "installationId" FROM subscriptions WHERE store_id = $storeId AND id = $id',
    parameters: { storeId: 'uuid', id: 'uuid' },
    row: { installationId: 'uuid?' },
  }),
  imports: statement({
    text: 'SELECT id AS "installationId" FROM installations WHERE store_id = $storeId AND id = $id',
    parameters: { storeId: 'uuid', id: 'uuid' },
    row: { installationId: 'uuid' },
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
