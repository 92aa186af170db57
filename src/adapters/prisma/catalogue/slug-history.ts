import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const BY_SLUGS = { storeId: 'uuid', slugs: 'text[]' } as const;

/**
 * A slug may be both released and claimed in one write: release first, since a claim takes the slug
 * out of the history.
 */
export const RELEASE_SLUGS = statement({
  text: `
    INSERT INTO slug_history (store_id, slug, product_id)
    SELECT s.id, r.slug, r.product_id FROM stores s CROSS JOIN unnest($slugs::text[], $ids::uuid[]) AS r(slug, product_id)
    WHERE s.id = $storeId
    ON CONFLICT (store_id, slug) DO UPDATE SET product_id = excluded.product_id, created_at = excluded.created_at`,
  parameters: { ...BY_SLUGS, ids: 'uuid[]' },
});

export const CLAIM_SLUGS = statement({
  text: 'DELETE FROM slug_history WHERE store_id = $storeId AND slug = ANY ($slugs)',
  parameters: BY_SLUGS,
});

const SORT_NOTHING = statement({ text: 'SET LOCAL enable_sort = off' });
const SORT_AGAIN = statement({ text: 'SET LOCAL enable_sort = on' });

/**
 * The product of a slug is the first at or behind it. So only the index of slugs has what is asked for in its order, and
 * PostgreSQL takes no other one where it may not sort. A store that the statistics do not know yet seems empty to it: it
 * would sort all of it for each slug.
 */
export const HOLDERS_OF_SLUGS = `
    SELECT s.slug, p.id FROM unnest($slugs::text[]) AS s(slug)
    CROSS JOIN LATERAL (SELECT slug, id FROM products WHERE store_id = $storeId AND slug >= s.slug ORDER BY slug LIMIT 1) AS p
    WHERE p.slug = s.slug`;

export const HOLDERS = statement({
  text: HOLDERS_OF_SLUGS,
  parameters: BY_SLUGS,
  row: { slug: 'text!', id: 'uuid' },
});

/** `look` sends such a statement. It costs no round trip more. */
export const withoutSorting = <T>(sql: TransactionSql, look: () => Promise<T>): Promise<T> => {
  sql.enqueue(SORT_NOTHING);
  const found = look();
  sql.enqueue(SORT_AGAIN);
  return found;
};

/**
 * A claimed slug leaves the history, and those of a deleted product leave it with the product: no
 * product has what is found.
 */
export const FORMER_HOLDERS = statement({
  text: 'SELECT slug, product_id AS id FROM slug_history WHERE store_id = $storeId AND slug = ANY ($slugs)',
  parameters: BY_SLUGS,
  row: { slug: 'text', id: 'uuid' },
});

export const HAVE_FORMER = statement({
  text: 'SELECT DISTINCT product_id AS id FROM slug_history WHERE store_id = $storeId AND product_id = ANY ($ids)',
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid' },
});

export const FORGET_SLUGS = statement({
  text: 'DELETE FROM slug_history WHERE store_id = $storeId AND product_id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});
