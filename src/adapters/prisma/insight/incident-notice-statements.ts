import { BETWEEN_SECONDS, NOTICE_PHASES, RETRY_SECONDS, SEND_FOR_HOURS } from '../../../domain/insight/notice-rules.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { INCIDENT, INCIDENT_ROW } from './incident-statements.ts';

/** Nodes that take of the same channel do so one after the other. */
export const LOCK_CHANNEL = statement({
  text: 'SELECT pg_advisory_xact_lock(72707371, hashtext($channel))',
  parameters: { channel: 'text' },
});

/** Whether it succeeds or not, it is tried again only after the wait that its next_at has now. */
export const TAKE = statement({
  text: `
    WITH due AS MATERIALIZED (
      SELECT store_id, incident_id, phase FROM incident_notices
      WHERE channel = $channel AND sent_at IS NULL AND next_at <= statement_timestamp()
        AND created_at > statement_timestamp() - make_interval(hours => ${SEND_FOR_HOURS})
        AND NOT EXISTS (
          SELECT FROM incident_notices WHERE channel = $channel AND taken_at > statement_timestamp() - make_interval(secs => ${BETWEEN_SECONDS}))
      ORDER BY created_at, incident_id, phase LIMIT $limit
    ), taken AS (
      UPDATE incident_notices n
      SET taken_at = statement_timestamp(), tries = n.tries + 1,
        next_at = now_ms() + make_interval(secs => least(${RETRY_SECONDS.least} * 2.0 ^ least(n.tries, 10), ${RETRY_SECONDS.most}))
      FROM due WHERE n.store_id = due.store_id AND n.incident_id = due.incident_id AND n.phase = due.phase AND n.channel = $channel
      RETURNING n.store_id, n.incident_id, n.phase, n.created_at
    )
    SELECT t.phase, ${INCIDENT}
    FROM taken t JOIN incidents i ON i.store_id = t.store_id AND i.id = t.incident_id LEFT JOIN stores s ON s.id = i.store_id
    ORDER BY t.created_at, t.incident_id, t.phase`,
  parameters: { channel: 'text', limit: 'int8' },
  row: { phase: oneOf('text', NOTICE_PHASES), ...INCIDENT_ROW },
});

export const SENT = statement({
  text: `
    UPDATE incident_notices n SET sent_at = statement_timestamp()
    FROM unnest($ids::uuid[], $phases::text[]) AS t(id, phase)
    WHERE n.store_id = $storeId AND n.incident_id = t.id AND n.phase = t.phase AND n.channel = $channel`,
  parameters: { storeId: 'uuid', channel: 'text', ids: 'uuid[]', phases: 'text[]' },
});
