import type { Epoch, FeedState } from '../../../../domain/webhooks/feed-place.ts';
import { isOfOneApp } from './audience.ts';

/**
 * True when the reader may see event `e` (isReceiver). A merchant has a null installation. `since` is SQL for the installation's time.
 */
export const maySee = (since: string): string => `($types::text[] IS NULL OR e.type = ANY ($types))
  AND ($installationId::uuid IS NULL OR NOT ${isOfOneApp('e.type')} OR coalesce(e.origin_installation_id = $installationId, true))
  AND (${since} IS NULL OR e.created_at >= ${since})`;

/** The trace of event `e` as far as the reader may know it: an app knows that of its own requests (domain/trace.ts). */
export const SHARED_TRACE = `CASE WHEN $installationId::uuid IS NULL OR e.origin_installation_id = $installationId THEN e.traceparent END`;

/** A body as the feed shows it: with the trace of its event. */
export const traced = (body: string, traceparent: string): string =>
  `CASE WHEN ${traceparent} IS NULL THEN ${body} ELSE left(${body}, -1) || ',"traceparent":' || to_json(${traceparent})::text || '}' END`;

/**
 * The store and, where an app reads, its installation. No row where one does not exist. A merchant's has an id that no
 * installation has: of a table that is compared with null, a Citus cluster does not see that it belongs to the store.
 */
export const READER = `stores st LEFT JOIN installations i
  ON i.id = coalesce($installationId::uuid, '00000000-0000-0000-0000-000000000000') AND i.store_id = st.id
  WHERE st.id = $storeId AND ($installationId::uuid IS NULL OR i.id IS NOT NULL)`;

/** The epochs of the store's feed in their order, as JSON: pairs of an id and the position after which it began. */
export const EPOCHS = `(SELECT json_agg(json_build_array(x.epoch, x.began) ORDER BY x.began) FROM feed_epochs x WHERE x.store_id = $storeId)::text`;

/** Last position of a cursor of the first version in feed `h`; null while such cursors are given out. */
export const FIRST_CURSORS =
  '(SELECT CASE WHEN g.sealed_cursors THEN coalesce(h.first_cursors, 0) END FROM schema_generation g WHERE g.id = 1)';

/** Parses the output of EPOCHS. */
const epochsOf = (json: string | null): readonly Epoch[] =>
  (JSON.parse(json ?? '[]') as readonly (readonly [id: string, began: number])[]).map(([id, began]) => ({ id, began }));

interface Row {
  readonly epochs: string | null;
  readonly firstCursors: string | null;
}

/** Parts of a place of the feed. */
export const marksOf = ({ epochs, firstCursors }: Row): Pick<FeedState, 'epochs' | 'firstCursors'> => ({
  epochs: epochsOf(epochs),
  firstCursors: firstCursors === null ? null : Number(firstCursors),
});
