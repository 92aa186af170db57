import { GATHER_SECONDS } from '../../../domain/insight/notice-rules.ts';
import { INCIDENT_KINDS, INCIDENT_RULES } from '../../../domain/insight/incident-rules.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isOlder } from '../connection/list-page.ts';
import { findOldest, olderThan, removal } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const KIND = oneOf('text', INCIDENT_KINDS);

export const OPEN_INCIDENTS = statement({
  text: `
    SELECT store_id AS "storeId", id, kind, subject, impact, extract(epoch FROM statement_timestamp() - seen_at)::float AS "unseenSeconds"
    FROM incidents WHERE ended_at IS NULL`,
  row: { storeId: 'uuid', id: 'uuid', kind: KIND, subject: 'text', impact: 'int4', unseenSeconds: 'float8' },
});

const NAMES = { kind: 'text', subject: 'text', name: 'text', impact: 'int4', cause: 'text' } as const;
const COLUMNS = 'store_id, id, kind, subject, name, impact, cause, began_at';

/** The lock keeps the store until its rows are there for the erasure. */
export const BEGIN_INCIDENT = statement({
  text: `
    INSERT INTO incidents (${COLUMNS}, seen_at)
    SELECT s.id, n.id, n.kind, n.subject, n.name, n.impact, n.cause, least(n.since, statement_timestamp()), statement_timestamp()
    FROM stores s CROSS JOIN unnest($ids::uuid[], $kinds::text[], $subjects::text[], $names::text[], $since::timestamptz[], $impacts::int[], $causes::text[])
      AS n(id, kind, subject, name, since, impact, cause)
    WHERE s.id = $storeId FOR KEY SHARE OF s
    ON CONFLICT DO NOTHING`,
  parameters: {
    storeId: 'uuid',
    ids: 'uuid[]',
    kinds: 'text[]',
    subjects: 'text[]',
    names: 'text[]',
    since: 'timestamptz[]',
    impacts: 'int4[]',
    causes: 'text[]',
  },
});

const ONE = { storeId: 'uuid', id: 'uuid', ...NAMES, since: 'timestamptz' } as const;
const VALUES = '$storeId, $id, $kind, $subject, $name, $impact, $cause';

/** Server-wide incidents have no store row to lock. */
export const BEGIN_OF_SERVER = statement({
  text: `
    INSERT INTO incidents (${COLUMNS}, seen_at)
    VALUES (${VALUES}, least($since, statement_timestamp()), statement_timestamp())
    ON CONFLICT DO NOTHING`,
  parameters: ONE,
});

const TIMES = `statement_timestamp(), now_ms() + make_interval(secs => ${GATHER_SECONDS})`;
const NOTICE = 'INSERT INTO incident_notices (store_id, incident_id, phase, channel, created_at, next_at)';

/** Notes only the added incidents: another node may have had one of the same subject before. */
export const INSERT_INCIDENT_NOTICES = statement({
  text: `
    ${NOTICE}
    SELECT i.store_id, i.id, $phase, c.channel, ${TIMES} FROM incidents i CROSS JOIN unnest($channels::text[]) AS c(channel)
    WHERE i.store_id = $storeId AND i.id = ANY ($ids)
    ON CONFLICT DO NOTHING`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', phase: 'text', channels: 'text[]' },
});

export const TOUCH_INCIDENTS = statement({
  text: `
    UPDATE incidents i SET impact = greatest(i.impact, n.impact), seen_at = statement_timestamp()
    FROM unnest($ids::uuid[], $impacts::int[]) AS n(id, impact) WHERE i.store_id = $storeId AND i.id = n.id AND i.ended_at IS NULL`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', impacts: 'int4[]' },
});

const NODE_OBSERVED = INCIDENT_KINDS.filter((kind) => INCIDENT_RULES[kind].isNodeObserved);

export const END_INCIDENT = statement({
  text: `
    WITH ended AS (
    UPDATE incidents
    SET ended_at = greatest(began_at, least(statement_timestamp(), CASE WHEN kind IN (${NODE_OBSERVED.map((kind) => `'${kind}'`).join(', ')}) THEN seen_at ELSE 'infinity' END))
    WHERE store_id = $storeId AND id = ANY ($ids) AND ended_at IS NULL
    RETURNING id
    ), untold AS (
      DELETE FROM incident_notices n USING ended WHERE n.store_id = $storeId AND n.incident_id = ended.id AND n.tries = 0
    )
    SELECT id FROM ended`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid' },
});

/** A later statement than END, which sees what a node has taken while END waited for it. */
export const NOTE_END = statement({
  text: `
    ${NOTICE}
    SELECT n.store_id, n.incident_id, 'end', n.channel, ${TIMES}
    FROM incident_notices n WHERE n.store_id = $storeId AND n.incident_id = ANY ($ids) AND n.phase = 'begin'`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

/** Two nodes that record the same outage do so one after the other. */
export const LOCK_RECORD = statement({ text: 'SELECT pg_advisory_xact_lock(72707370)' });

export const OVERLAPPING = statement({
  text: `
    SELECT FROM incidents
    WHERE store_id = $storeId AND kind = $kind AND began_at <= $endedAt AND coalesce(ended_at, 'infinity') >= $since`,
  parameters: { storeId: 'uuid', kind: 'text', since: 'timestamptz', endedAt: 'timestamptz' },
});

export const RECORD = statement({
  text: `INSERT INTO incidents (${COLUMNS}, ended_at, seen_at) VALUES (${VALUES}, $since, $endedAt, $endedAt)`,
  parameters: { ...ONE, endedAt: 'timestamptz' },
});

/** Fields of the incident `i`, with its store `s` outer-joined. */
export const INCIDENT_COLUMNS = `i.id, nullif(i.store_id, '${NO_STORE}') AS "storeId", s.domain AS store, i.kind, i.subject, i.name,
      iso(i.began_at) AS "beganAt", iso(i.ended_at) AS "endedAt", i.impact, i.cause`;

const listing = (which: string): string => `
    SELECT ${INCIDENT_COLUMNS}
    FROM incidents i LEFT JOIN stores s ON s.id = i.store_id
    WHERE ${which} AND ($isOpen::boolean IS NULL OR (i.ended_at IS NULL) = $isOpen)
      AND ${isOlder('i.began_at', 'i.id')}
    ORDER BY i.began_at DESC, i.id DESC LIMIT $take`;

const PAGE = { isOpen: 'bool?', afterAt: 'timestamptz?', afterId: 'uuid?', take: 'int8' } as const;

export const INCIDENT_ROW = {
  id: 'uuid',
  storeId: 'uuid?',
  store: 'text?',
  kind: KIND,
  subject: 'text',
  name: 'text',
  beganAt: 'text',
  endedAt: 'text?',
  impact: 'int4',
  cause: 'text',
} as const;

export const LIST_INCIDENTS = statement({
  text: listing('i.store_id = $storeId'),
  parameters: { storeId: 'uuid', ...PAGE },
  row: INCIDENT_ROW,
});

export const LIST_ALL = statement({ text: listing('true'), parameters: PAGE, row: INCIDENT_ROW });

const OLD = olderThan('incidents', 'ended_at');
export const PURGE_INCIDENTS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };
