import type { KeyLog } from '../../../domain/ports/idempotency/key-log.ts';
import { endOldest, findOldest, isBefore, removal } from '../connection/purge.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { byStore } from '../../../domain/store-key.ts';
import { APP_KEYS, KEY } from './key-record.ts';

/**
 * True when a running transaction has locked the row, which the row itself shows: to try the lock
 * would answer a retry of the app with 409. An xid8 holds the 32 bits of a row's xid, and their
 * epoch.
 */
const IS_HELD = `(EXISTS (SELECT FROM pg_snapshot_xip(pg_current_snapshot()) AS x(id) WHERE x.id::text::numeric % 4294967296 = r.xmax::text::numeric)
  OR r.xmax::text::numeric >= pg_snapshot_xmax(pg_current_snapshot())::text::numeric % 4294967296)`;

/** Events are found by the time of the transaction that wrote them, which an index has. */
const GET = statement({
  text: `
    SELECT CASE WHEN r.finished_at IS NULL THEN CASE WHEN ${IS_HELD} THEN 'running' ELSE 'abandoned' END
        WHEN r.finished_at < clock_timestamp() - make_interval(secs => $ttlSeconds) THEN 'expired' ELSE 'finished' END AS state,
      iso(r.created_at) AS "firstAt", iso(r.finished_at) AS "finishedAt", iso(r.finished_at + make_interval(secs => $ttlSeconds)) AS "expiresAt",
      r.status, octet_length(r.body) AS bytes, r.body IS NOT NULL AS replayable,
      coalesce(u.replays, 0) AS replays, coalesce(u.conflicts, 0) AS conflicts, coalesce(u.mismatches, 0) AS mismatches,
      ARRAY(SELECT e.id FROM events e WHERE e.store_id = $storeId AND e.request_id = r.request_id
        AND e.created_at BETWEEN r.began_at AND r.finished_at ORDER BY e.id) AS "eventIds"
    FROM ${APP_KEYS.known}
    LEFT JOIN idempotency_uses u ON u.store_id = r.store_id AND u.installation_id = r.installation_id AND u.key = r.key AND u.since = r.created_at
    WHERE ${APP_KEYS.isKey}`,
  parameters: { ...KEY, ttlSeconds: 'float8' },
  row: {
    state: oneOf('text', ['running', 'abandoned', 'finished', 'expired']),
    firstAt: 'text',
    finishedAt: 'text?',
    expiresAt: 'text?',
    status: 'int2?',
    bytes: 'int4?',
    replayable: 'bool',
    replays: 'int4',
    conflicts: 'int4',
    mismatches: 'int4',
    eventIds: 'uuid[]',
  },
});

/** In the order of the keys, so that two nodes do not wait for each other. */
const COUNT = statement({
  text: `
    INSERT INTO idempotency_uses AS u (store_id, installation_id, key, since, replays, conflicts, mismatches)
    SELECT r.store_id, r.installation_id, r.key, r.created_at, n.replays, n.conflicts, n.mismatches
    FROM unnest($installationIds::uuid[], $keys::text[], $replays::int[], $conflicts::int[], $mismatches::int[])
      AS n(installation_id, key, replays, conflicts, mismatches)
    JOIN idempotency_records r ON r.store_id = $storeId AND r.installation_id = n.installation_id AND r.key = n.key
    ORDER BY r.installation_id, r.key
    ON CONFLICT (store_id, installation_id, key) DO UPDATE SET since = excluded.since,
      replays = excluded.replays + CASE WHEN u.since = excluded.since THEN u.replays ELSE 0 END,
      conflicts = excluded.conflicts + CASE WHEN u.since = excluded.since THEN u.conflicts ELSE 0 END,
      mismatches = excluded.mismatches + CASE WHEN u.since = excluded.since THEN u.mismatches ELSE 0 END`,
  parameters: {
    storeId: 'uuid',
    installationIds: 'uuid[]',
    keys: 'text[]',
    replays: 'int4[]',
    conflicts: 'int4[]',
    mismatches: 'int4[]',
  },
});

const OLD = {
  table: 'idempotency_uses u',
  at: 'u.since',
  isDue: (
    of: (table: string) => string,
  ) => `${isBefore('u.since')} AND NOT EXISTS (SELECT FROM idempotency_records r WHERE ${of('r')}
        AND r.store_id = u.store_id AND r.installation_id = u.installation_id AND r.key = u.key AND r.created_at = u.since)`,
};
const PURGE = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

export const keyLog = (sql: Sql, ttlSeconds: number): KeyLog => ({
  get: async (scope) => (await sql.rows(GET, { ...scope, ttlSeconds }))[0] ?? null,
  count: async (uses) => {
    for (const [storeId, own] of byStore(uses)) {
      await sql.execute(COUNT, {
        storeId,
        installationIds: own.map((row) => row.installationId),
        keys: own.map((row) => row.key),
        replays: own.map((row) => row.replays),
        conflicts: own.map((row) => row.conflicts),
        mismatches: own.map((row) => row.mismatches),
      });
    }
  },
  purge: (limit) => endOldest(sql, PURGE, ttlSeconds, limit),
});
