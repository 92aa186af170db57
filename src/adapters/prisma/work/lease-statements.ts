import type { LeasedWork } from '../../../domain/ports/work-lease.ts';
import { statement } from '../connection/statement.ts';
import { leaseLock } from './stop-work.ts';

const onLock = (call: string, work: LeasedWork): string => `${call}(${leaseLock(work, '$id::uuid')})`;

const taking = (work: LeasedWork) =>
  ({
    text: `SELECT ${onLock('pg_try_advisory_lock', work)} AS taken`,
    parameters: { id: 'uuid' },
    row: { taken: 'bool' },
  }) as const;
const givingUp = (work: LeasedWork) =>
  ({
    text: `SELECT ${onLock('pg_advisory_unlock', work)} AS freed`,
    parameters: { id: 'uuid' },
    row: { freed: 'bool' },
  }) as const;

/**
 * The lock ends with the connection. PostgreSQL grants a session its own lock again, so `leases`
 * keeps a process from asking twice. No table is read: on Citus, the lock would be one of another server.
 */
export const TAKE = { deliveries: statement(taking('deliveries')), imports: statement(taking('imports')) };

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

export const GIVE_UP = { deliveries: statement(givingUp('deliveries')), imports: statement(givingUp('imports')) };
