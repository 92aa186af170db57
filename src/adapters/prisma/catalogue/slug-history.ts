import { statement } from '../connection/statement.ts';

const BY_SLUGS = { storeId: 'uuid', slugs: 'text[]' } as const;

/**
 * A slug may be both released and claimed in one write: release first, since a claim takes the slug
 * out of the history.
 */
export const RELEASE_SLUGS = statement({
  text: `
    INSERT INTO slug_history (store_id, slug, product_id)
    SELECT $storeId, slug, product_id FROM unnest($slugs::text[], $ids::uuid[]) AS r(slug, product_id)
    ON CONFLICT (store_id, slug) DO UPDATE SET product_id = excluded.product_id, created_at = excluded.created_at`,
  parameters: { ...BY_SLUGS, ids: 'uuid[]' },
});

export const CLAIM_SLUGS = statement({
  text: 'DELETE FROM slug_history WHERE store_id = $storeId AND slug = ANY ($slugs)',
  parameters: BY_SLUGS,
});

/**
 * The store, so that its place in the statistics is not seen: PostgreSQL takes one that they do not
 * know yet for empty, and reads all of it for each slug.
 */
export const ANY_STORE = '(SELECT $storeId::uuid)';

export const HOLDERS_OF_SLUGS = `
    SELECT s.slug, p.id FROM unnest($slugs::text[]) AS s(slug)
    CROSS JOIN LATERAL (SELECT id FROM products WHERE store_id = ${ANY_STORE} AND slug = s.slug LIMIT 1) AS p`;

export const HOLDERS = statement({
  text: HOLDERS_OF_SLUGS,
  parameters: BY_SLUGS,
  row: { slug: 'text!', id: 'uuid' },
});

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
