import { OMITTED, PRODUCT_TYPES } from '../../../../domain/webhooks/included.ts';
import { PRODUCT_DOCUMENT } from '../../catalogue/product-document.ts';
import { statement } from '../../connection/statement.ts';
import { WITH_CATEGORY, WITH_TAX_CLASS } from '../../reading/revision.ts';
import { listed } from '../subscriptions/receivers.ts';

/** More than a body can have. */
const MAX_PRODUCT_BYTES = 262_144;

/** Products of one fan-out together, in bytes. Those beyond are left out. */
const MAX_INCLUDED_BYTES = 33_554_432;

const isOfProduct = (event: string): string => `${event}.type IN (${listed(PRODUCT_TYPES)})`;

/**
 * True when another commit has changed the product of event `w` since. Commits of one product follow each other by their time, and those
 * of one millisecond by their places.
 */
const IS_LATER = `EXISTS (
  SELECT FROM events n WHERE n.store_id = $storeId AND n.resource_id = w.resource_id AND n.created_at >= w.created_at AND ${isOfProduct('n')}
    AND (n.created_at > w.created_at OR (n.request_id IS DISTINCT FROM w.request_id AND coalesce(
      (SELECT f.position FROM feed f WHERE f.store_id = $storeId AND f.event_id = n.id), 9223372036854775807)
      > (SELECT f.position FROM feed f WHERE f.store_id = $storeId AND f.event_id = w.id))))`;

/**
 * Stores with each event the product that it is about, as the commit left it or, if it has changed since, as it is now. Each product is
 * rendered once. An event that has its product in its own data gets nothing.
 */
export const INCLUDE_PRODUCTS = statement({
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT e.id, e.resource_id, e.created_at, e.request_id FROM events e
      WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND ${isOfProduct('e')} AND (e.type <> 'product.created' OR e.whole_body IS NOT NULL)
        AND EXISTS (SELECT FROM subscriptions s
          WHERE s.store_id = $storeId AND s.include IS NOT NULL AND s.is_active AND e.type = ANY (s.event_types))
    ), rendered AS MATERIALIZED (
      SELECT p.id::text AS id, (SELECT row_to_json(d)::text FROM (SELECT ${PRODUCT_DOCUMENT}) d) AS text
      FROM products p ${WITH_CATEGORY} ${WITH_TAX_CLASS}
      WHERE p.store_id = $storeId AND p.id = ANY (ARRAY(SELECT resource_id::uuid FROM wanted WHERE resource_id ~ '^[0-9a-f-]{36}$')) AND p.deleted_at IS NULL
    ), shown AS MATERIALIZED (
      SELECT id, text, octet_length(text) > ${MAX_PRODUCT_BYTES} OR sum(octet_length(text)) OVER (ORDER BY id) > ${MAX_INCLUDED_BYTES} AS "isLarge"
      FROM rendered
    )
    UPDATE events e SET included = CASE WHEN r."isLarge" THEN '${JSON.stringify(OMITTED)}'
      ELSE '{"product":' || coalesce(r.text, 'null') || CASE WHEN ${IS_LATER} THEN ',"asOf":"later"}' ELSE '}' END END
    FROM wanted w LEFT JOIN shown r ON r.id = w.resource_id
    WHERE e.store_id = $storeId AND e.id = w.id`,
  parameters: { storeId: 'uuid', eventIds: 'uuid[]' },
});
