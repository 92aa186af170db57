import type { LeasedWork, Leasable, Lease, WorkLeases } from '../../../domain/ports/work-lease.ts';
import { channelOf, type NodeSession, type OpenSession } from '../connection/node-session.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { leaseLock, scopeKey, type StopScope, type AnnounceStop } from './stop-work.ts';

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
const ACQUIRE_LEASE = { deliveries: statement(acquiring('deliveries')), imports: statement(acquiring('imports')) };

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
const LEASE_OWNER = {
  deliveries: statement({
    text: `SELECT installation_id AS "installationId" ${SUBSCRIPTION}`,
    parameters: OF,
    row: { installationId: 'uuid?' },
  }),
  imports: statement({ text: `SELECT id AS "installationId" ${INSTALLATION}`, parameters: OF, row: { installationId: 'uuid' } }),
};

/** Finds the owner of the work whose scopes are open: its row and the locks are on one server. */
const OPEN_OWNER = {
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

const TRY_SCOPES = statement({
  text: `SELECT ${areOpen('$scopes::text[]')} AS open`,
  parameters: { scopes: 'text[]' },
  row: { open: 'bool' },
});

const RELEASE_LEASE = { deliveries: statement(releasing('deliveries')), imports: statement(releasing('imports')) };

/** Nothing else takes locks of the session. */
const RELEASE_ALL = statement({ text: 'SELECT pg_advisory_unlock_all()' });

const NOTIFY = statement({ text: `SELECT pg_notify('${channelOf('stop')}', $scope)`, parameters: { scope: 'text' } });

interface WorkLeasesOptions {
  readonly session: NodeSession;
  /** On Citus, reads whose work it is. There the read fails while the worker of the store is away, which would end the connection of the leases. */
  readonly sql: Sql;
  readonly onError?: (error: Error) => void;
}

interface OpenOwner {
  readonly installationId: string | null;
  readonly open: boolean;
}

interface Held {
  /** In `leases`. Made once, since every attempt looks it up. */
  readonly key: string;
  readonly work: LeasedWork;
  readonly of: Leasable;
  /** Null until its owner is known. Any stop stops it then: it may be the one. */
  scopes: readonly string[] | null;
  readonly stop: AbortController;
}

/**
 * The leases of this process, their locks all in one session, which the first of them opens.
 * `announceStop` is for stopWork.
 */
export const createWorkLeases = ({
  session: node,
  sql,
  onError,
}: WorkLeasesOptions): WorkLeases & { readonly announceStop: AnnounceStop } => {
  const leases = new Map<string, Held>();
  let closed = false;

  const stopWhere = (applies: (held: Held) => boolean): void => {
    for (const held of leases.values()) if (applies(held)) held.stop.abort();
  };

  const ignore = node.listen('stop', {
    onMessage: (scope) => {
      stopWhere(({ scopes }) => scopes?.includes(scope) !== false);
    },
    onEnd: () => {
      stopWhere(() => true);
      leases.clear();
    },
  });

  const forget = (held: Held): void => {
    if (leases.get(held.key) === held) leases.delete(held.key);
  };

  const scopesOf = ({ work, of }: Held, installationId: string | null): string[] => [
    ...(work === 'deliveries' ? [scopeKey('subscription', of.id)] : []),
    ...(installationId === null ? [] : [scopeKey('installation', installationId)]),
    scopeKey('store', of.storeId),
  ];

  /** Read in one write with the lock; on Citus behind it, since there the row is on another server than the locks. */
  const openOwner = ({ sql: session }: OpenSession, { work, of }: Held): Promise<OpenOwner[]> =>
    work === 'deliveries' ? session.rows(OPEN_OWNER.deliveries, of) : session.rows(OPEN_OWNER.imports, of);
  const openOwnerElsewhere = async (session: OpenSession, held: Held): Promise<OpenOwner[]> => {
    const { work, of } = held;
    const [owner] = await (work === 'deliveries' ? sql.rows(LEASE_OWNER.deliveries, of) : sql.rows(LEASE_OWNER.imports, of));
    if (!owner) return [];
    const scopes = await session.sql.rows(TRY_SCOPES, { scopes: scopesOf(held, owner.installationId) });
    return scopes.map(({ open }) => ({ ...owner, open }));
  };

  /**
   * False when another process has it, a scope is being stopped, or it is gone. Nothing stays
   * locked then, nor when a read fails. stopWork relies on the order of the steps: the owner is read
   * behind the lock, or what was removed meanwhile would be leased.
   */
  const take = async (session: OpenSession, held: Held): Promise<boolean> => {
    const { work, of } = held;
    // A connection carries out its statements in their order, so both leave in one write.
    const [[lock], owner] = await Promise.all([
      session.sql.rows(ACQUIRE_LEASE[work], { id: of.id }),
      session.spreadsStores ? null : openOwner(session, held),
    ]);
    if (lock?.taken !== true) return false;
    let open = false;
    try {
      const [found] = owner ?? (await openOwnerElsewhere(session, held));
      if (found) held.scopes = scopesOf(held, found.installationId);
      open = found?.open === true && !held.stop.signal.aborted;
      return open;
    } finally {
      if (!open) await session.sql.execute(RELEASE_LEASE[work], { id: of.id });
    }
  };

  const leaseOf = (session: OpenSession, held: Held): Lease => {
    const isMine = (): boolean => leases.get(held.key) === held && !held.stop.signal.aborted;
    return {
      signal: held.stop.signal,
      // A process that was paused finds its connection ended here, or receives the stop that it missed.
      mayBegin: () => (isMine() && !session.isFresh() ? session.ping().then(isMine, isMine) : isMine()),
      release: async () => {
        if (leases.get(held.key) !== held) return;
        // When this fails, the connection has ended, and with it the lease.
        await session.sql.execute(RELEASE_LEASE[held.work], { id: held.of.id }).catch(() => undefined);
        forget(held);
      },
    };
  };

  return {
    acquire: async (work, of) => {
      const held: Held = { key: `${work}/${of.id}`, work, of, scopes: null, stop: new AbortController() };
      if (leases.has(held.key)) return null;
      leases.set(held.key, held);
      let taken = false;
      try {
        if (closed) throw new Error('The leases of this process are closed');
        const session = await node.open();
        taken = await take(session, held);
        return taken ? leaseOf(session, held) : null;
      } finally {
        if (!taken) forget(held);
      }
    },
    announceStop: async (scope) => {
      try {
        await (await node.open()).sql.execute(NOTIFY, { scope });
      } catch (error) {
        // The request waits for the leaseholders, then cuts them off. That is slower, and just as safe.
        onError?.(error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: async () => {
      closed = true;
      ignore();
      stopWhere(() => true);
      leases.clear();
      await node
        .current()
        ?.sql.execute(RELEASE_ALL)
        .catch(() => undefined);
    },
  };
};
