import type { LeasedWork } from '../../../domain/ports/work-lease.ts';
import { statement } from '../connection/statement.ts';
import { leaseLock, scopeKey, type StopScope } from './stop-work.ts';

const onLock = (call: string, work: LeasedWork): string => `${call}(${leaseLock(work, '$id::uuid')})`;

const acquiring = (work: LeasedWork) =>
  ({
    text: `SELECT ${onLock('pg_try_advisory_lock', work)} AS taken`,
    parameters: { id: 'uuid' },
    row: { taken: 'bool' },
  }) as const;
const releasing = (work: LeasedWork) =>
  ({
    text: `SELECT ${onLock('pg_advisory_unlock', work)} AS freed`,
    parameters: { id: 'uuid' },
    row: { freed: 'bool' },
  }) as const;

/**
 * The lock ends with the connection. PostgreSQL grants a session its own lock again, so `leases`
 * keeps a process from asking twice. No table is read: on Citus, the lock would be one of another server.
 */
export const ACQUIRE_LEASE = { deliveries: statement(acquiring('deliveries')), imports: statement(acquiring('imports')) };

/** SQL for whether none of the scopes is being stopped. `scopes` is SQL for texts; a null is not looked at. */
const areOpen = (scopes: string): string =>
  `(SELECT bool_and(pg_try_advisory_xact_lock_shared(hashtextextended('gate/' || scope, 0))) FROM unnest(${scopes}) AS scope)`;

const scopeOf = (scope: StopScope, id: string): string => `'${scopeKey(scope, '')}' || ${id}`;

const open = (...scopes: readonly string[]): string =>
  `${areOpen(`ARRAY[${[...scopes, scopeOf('store', 'store_id')].join(', ')}]`)} AS open`;
const OF = { storeId: 'uuid', id: 'uuid' } as const;
const SUBSCRIPTION = 'FROM subscriptions WHERE store_id = $storeId AND id = $id';
const INSTALLATION = 'FROM installations WHERE store_id = $storeId AND id = $id';

/** Finds the owner of the work. */
export const LEASE_OWNER = {
  deliveries: statement({
    text: `SELECT installation_id AS "installationId" ${SUBSCRIPTION}`,
    parameters: OF,
    row: { installationId: 'uuid?' },
  }),
  imports: statement({ text: `SELECT id AS "installationId" ${INSTALLATION}`, parameters: OF, row: { installationId: 'uuid' } }),
};

/** Finds the owner of the work whose scopes are open: its row and the locks are on one server. */
export const OPEN_OWNER = {
  deliveries: statement({
    text: `SELECT installation_id AS "installationId", ${open(scopeOf('subscription', 'id'), scopeOf('installation', 'installation_id'))} ${SUBSCRIPTION}`,
    parameters: OF,
    row: { installationId: 'uuid?', open: 'bool' },
  }),
  imports: statement({
    text: `SELECT id AS "installationId", ${open(scopeOf('installation', 'id'))} ${INSTALLATION}`,
    parameters: OF,
    row: { installationId: 'uuid', open: 'bool' },
  }),
};

export const TRY_SCOPES = statement({
  text: `SELECT ${areOpen('$scopes::text[]')} AS open`,
  parameters: { scopes: 'text[]' },
  row: { open: 'bool' },
});

export const RELEASE_LEASE = { deliveries: statement(releasing('deliveries')), imports: statement(releasing('imports')) };
