import { byStore } from '../../../domain/store-key.ts';
import { BETWEEN_SECONDS, NOTICE_PHASES, RETRY_SECONDS, SEND_FOR_HOURS } from '../../../domain/insight/notice-rules.ts';
import type { IncidentNotices } from '../../../domain/ports/insight/incident-notices.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import type { Database } from '../connection/database.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { INCIDENT_COLUMNS, INCIDENT_ROW } from './incident-statements.ts';

/** Nodes that take of the same channel do so one after the other. */
const LOCK_CHANNEL = statement({
  text: 'SELECT pg_advisory_xact_lock(72707371, hashtext($channel))',
  parameters: { channel: 'text' },
});

const DUE_NOTICES = statement({
  text: `
    SELECT store_id AS "storeId", incident_id AS id, phase FROM incident_notices
    WHERE channel = $channel AND sent_at IS NULL AND next_at <= statement_timestamp()
      AND created_at > statement_timestamp() - make_interval(hours => ${SEND_FOR_HOURS})
      AND NOT EXISTS (
        SELECT 1 FROM incident_notices WHERE channel = $channel AND taken_at > statement_timestamp() - make_interval(secs => ${BETWEEN_SECONDS}))
    ORDER BY created_at, incident_id, phase LIMIT $limit`,
  parameters: { channel: 'text', limit: 'int8' },
  row: { storeId: 'uuid', id: 'uuid', phase: oneOf('text', NOTICE_PHASES) },
});

const OF_STORE = { storeId: 'uuid', channel: 'text', ids: 'uuid[]', phases: 'text[]' } as const;
const GIVEN = `unnest($ids::uuid[], $phases::text[]) AS t(id, phase)
    WHERE n.store_id = $storeId AND n.incident_id = t.id AND n.phase = t.phase AND n.channel = $channel`;

/** Success or not, the notice is tried again only after the wait that its next_at has now. */
const CLAIM_NOTICES = statement({
  text: `
    WITH taken AS (
      UPDATE incident_notices n
      SET taken_at = statement_timestamp(), tries = n.tries + 1,
        next_at = to_timestamp(extract(epoch FROM now_ms()) + least(${RETRY_SECONDS.least} * 2.0 ^ least(n.tries, 10), ${RETRY_SECONDS.most}))
      FROM ${GIVEN}
      RETURNING n.incident_id, n.phase
    )
    SELECT t.phase, ${INCIDENT_COLUMNS}
    FROM taken t JOIN incidents i ON i.store_id = $storeId AND i.id = t.incident_id LEFT JOIN stores s ON s.id = $storeId`,
  parameters: OF_STORE,
  row: { phase: oneOf('text', NOTICE_PHASES), ...INCIDENT_ROW },
});

const SENT = statement({
  text: `
    UPDATE incident_notices n SET sent_at = statement_timestamp()
    FROM ${GIVEN}`,
  parameters: OF_STORE,
});

interface Key {
  readonly id: string;
  readonly phase: string;
}

const keysOf = (notices: readonly Key[]) => ({ ids: notices.map(({ id }) => id), phases: notices.map(({ phase }) => phase) });

export const incidentNotices = (database: Database): IncidentNotices => ({
  take: async (channel, limit) => {
    const [due, rows] = await database.transaction(async (sql) => {
      await sql.execute(LOCK_CHANNEL, { channel });
      const found = await sql.rows(DUE_NOTICES, { channel, limit });
      const taken = [...byStore(found)].map(([storeId, own]) => sql.rows(CLAIM_NOTICES, { storeId, channel, ...keysOf(own) }));
      return [found, (await Promise.all(taken)).flat()];
    });
    return due.flatMap(({ id, phase }) =>
      rows.flatMap(({ phase: of, ...incident }) => (of === phase && incident.id === id ? [{ phase, incident }] : [])),
    );
  },
  sent: async (channel, notices) => {
    const rows = notices.map(({ phase, incident: { id, storeId } }) => ({ phase, id, storeId: storeId ?? NO_STORE }));
    for (const [storeId, own] of byStore(rows)) {
      await database.execute(SENT, { storeId, channel, ...keysOf(own) });
    }
  },
});
