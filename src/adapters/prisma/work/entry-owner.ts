import { KEPT_ENTRIES_DAYS } from '../../../domain/custom-data/metaobject.ts';
import { statement } from '../connection/statement.ts';

/** The `installation_id` that the entries of installation `i` have. Another installation may have begun to write them. */
export const keyOf = (i: string): string => `coalesce(${i}.entries_key, ${i}.id)`;

/** The key of the caller's entries. */
export const OWN_KEY = `(SELECT ${keyOf('i')} FROM installations i WHERE i.store_id = $storeId AND i.id = $installationId)`;

/** Joins the installation `h` that has the entry `e`. Each key belongs to exactly one. */
export const JOINED_OWNER = `installations h ON h.store_id = $storeId AND ${keyOf('h')} = e.installation_id`;

/** SQL for the end of the time from now for which entries are kept. */
export const KEPT_UNTIL = `statement_timestamp() + make_interval(days => ${KEPT_ENTRIES_DAYS})`;

/** True where installation `i` has entries. */
const HAS_ENTRIES = `EXISTS (SELECT FROM metaobject_entries e WHERE e.store_id = i.store_id AND e.installation_id = ${keyOf('i')})`;

/**
 * The new installation gets the key of the last one with entries, and that one gets the key of the new one, which no entry has. So it takes no
 * longer for many entries. `last` is SQL on the ended installation `i`.
 */
const takeOver = (last: string) => `
    WITH ended AS (
      SELECT i.id, ${keyOf('i')} AS key FROM installations i
      WHERE i.store_id = $storeId AND ${last} AND i.status = 'Uninstalled'
        AND (i.entries_until IS NULL OR i.entries_until > statement_timestamp())
        AND ${HAS_ENTRIES.replace('i.store_id', '$storeId')}
      ORDER BY i.uninstalled_at DESC, i.id DESC LIMIT 1 FOR UPDATE)
    UPDATE installations n SET entries_key = CASE WHEN n.id = $id THEN ended.key ELSE $id END, entries_until = NULL
    FROM ended WHERE n.store_id = $storeId AND n.id IN ($id, ended.id)`;

export const TAKE_OVER_OF_APP = statement({
  text: takeOver('i.app_id = $appId'),
  parameters: { storeId: 'uuid', id: 'uuid', appId: 'uuid' },
});

export const TAKE_OVER = statement({
  text: takeOver('i.id = $endedId'),
  parameters: { storeId: 'uuid', id: 'uuid', endedId: 'uuid' },
});

/** Ended installations whose entries are due, and those whose time has not begun: a process of version 0.1.0 has ended them. */
export const TO_ERASE = statement({
  text: `
    SELECT i.store_id AS "storeId", i.id, i.entries_until IS NOT NULL AS "isDue" FROM installations i
    WHERE i.status = 'Uninstalled' AND (i.entries_until IS NULL OR i.entries_until <= statement_timestamp()) AND ${HAS_ENTRIES}
    LIMIT $limit`,
  parameters: { limit: 'int8' },
  row: { storeId: 'uuid', id: 'uuid', isDue: 'bool' },
});

export const BEGIN_TIME = statement({
  text: `
    UPDATE installations SET entries_until = ${KEPT_UNTIL}
    WHERE store_id = $storeId AND id = $id AND status = 'Uninstalled' AND entries_until IS NULL`,
  parameters: { storeId: 'uuid', id: 'uuid' },
});

/** The lock of the installation is that of TAKE_OVER: one of the two sees what the other has done. */
export const ERASE_KEPT = statement({
  text: `
    DELETE FROM metaobject_entries WHERE store_id = $storeId AND ctid = ANY (ARRAY(
      SELECT e.ctid FROM metaobject_entries e JOIN ${JOINED_OWNER}
      WHERE e.store_id = $storeId AND h.id = $id AND h.status = 'Uninstalled' AND h.entries_until <= statement_timestamp()
      LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { storeId: 'uuid', id: 'uuid', limit: 'int8' },
});
