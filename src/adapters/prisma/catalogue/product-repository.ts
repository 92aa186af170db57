import { listFigures } from '../../../domain/catalogue/list-figures.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { ProductRepository } from '../../../domain/ports/catalogue/product-repository.ts';
import { storeKey } from '../../../domain/store-key.ts';
import { planOnce } from '../connection/plans.ts';
import { inOrder, attempt, type RefusedRow } from '../connection/savepoint.ts';
import { json } from '../connection/sql-types.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { lockCatalogue } from '../work/catalogue-lock.ts';
import { movesOf, recordMoves, type Move } from './list-moves.ts';
import { PRODUCT_VERSION, WITH_CATEGORY, WITH_TAX_CLASS } from '../reading/revision.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';
import { productTag } from './product-reader.ts';
import { insertProducts, nestedRows, replaceNested, upsertProducts } from './product-writes.ts';
import {
  CLAIM_SLUGS,
  FORGET_SLUGS,
  FORMER_HOLDERS,
  HAVE_FORMER,
  HOLDERS,
  RELEASE_SLUGS,
  withoutSorting,
} from './slug-history.ts';

/** Returns at most `size` of the products at each call, and none at the end. */
const inParts = (products: Iterable<Product>, size: number): (() => Product[]) => {
  const iterator = products[Symbol.iterator]();
  return () => {
    const part: Product[] = [];
    while (part.length < size) {
      const next = iterator.next();
      if (next.done === true) break;
      part.push(next.value);
    }
    return part;
  };
};

/** A turn of the event loop. The socket does not take a whole part at once, and the rest leaves meanwhile. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface Parts {
  readonly first: readonly Product[];
  readonly nextPart: () => readonly Product[];
  /** Gets all of the products, also when PostgreSQL refuses one. */
  readonly taken: Product[];
}

/**
 * Inserts new products. While PostgreSQL writes a part of them, the next part is taken and put into
 * JSON, and no statement waits for another.
 */
const insertInParts = async (sql: Sql, storeId: string, { first, nextPart, taken }: Parts): Promise<void> => {
  const sent: Promise<unknown>[] = [];
  const send = (answer: Promise<unknown>): void => {
    // The insert may fail long before it is awaited.
    answer.catch(() => undefined);
    sent.push(answer);
  };
  for (let part = first; part.length > 0; part = nextPart()) {
    taken.push(...part);
    send(insertProducts(sql, storeId, part));
    await turn();
    send(replaceNested(sql, storeId, [], nestedRows(part)));
    await turn();
  }
  send(sql.execute(CLAIM_SLUGS, { storeId, slugs: taken.flatMap(({ slug }) => slug ?? []) }));
  const moves = taken.flatMap((product) => movesOf(product, undefined));
  send(recordMoves(sql, storeId, moves));
  await inOrder(sent);
};

const ONE = { storeId: 'uuid', id: 'uuid' } as const;
const MANY = { storeId: 'uuid', ids: 'uuid[]' } as const;

const LOCK_PRODUCT = statement({
  text: 'SELECT FROM products WHERE store_id = $storeId AND id = ANY ($ids) ORDER BY id FOR UPDATE',
  parameters: MANY,
});

const DOCUMENTS = statement({
  text: `
    SELECT row_to_json(d) AS product FROM (
      SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $storeId AND p.id = ANY ($ids) ORDER BY p.id) d`,
  parameters: MANY,
  row: { product: json<Product>('json') },
});

/** A join would read the whole store for each batch of a file where the tables have no statistics yet. */
const VARIANTS_OF = statement({
  text: `
    SELECT product_id AS "productId", id, sku FROM variants
    WHERE store_id = $storeId AND product_id = ANY ($ids) AND deleted_at IS NULL AND product_id <> ALL (ARRAY (
      SELECT p.id FROM products p WHERE p.store_id = $storeId AND p.id = ANY ($ids) AND p.deleted_at IS NOT NULL))`,
  parameters: MANY,
  row: { productId: 'uuid', id: 'uuid', sku: 'text' },
});

const VERSION = statement({
  text: `
    SELECT ${PRODUCT_VERSION} AS version FROM products p ${WITH_CATEGORY} ${WITH_TAX_CLASS}
    WHERE p.store_id = $storeId AND p.id = $id AND p.deleted_at IS NULL`,
  parameters: ONE,
  row: { version: 'text' },
});

const ADD_MEDIA = statement({
  text: `
    INSERT INTO media (store_id, id, product_id, ordinal, product_variant_id, asset_id, ai_generated, alt_text, content_type, position,
      size_bytes, storage_key, url, created_at)
    VALUES ($storeId, $id, $productId, $ordinal, $productVariantId, $assetId, $aiGenerated, $altText, $contentType, $position,
      $sizeBytes, $storageKey, $url, $createdAt)`,
  parameters: {
    ...ONE,
    productId: 'uuid',
    ordinal: 'int4',
    productVariantId: 'uuid?',
    assetId: 'uuid?',
    aiGenerated: 'bool',
    altText: 'text?',
    contentType: 'text',
    position: 'int4',
    sizeBytes: 'int8',
    storageKey: 'text',
    url: 'text',
    createdAt: 'timestamptz',
  },
});

const SHOW_MEDIA = statement({
  text: `
    UPDATE products SET updated_at = $at, thumbnail_url = $thumbnailUrl, thumbnail_alt = $thumbnailAlt
    WHERE store_id = $storeId AND id = $id`,
  parameters: { ...ONE, at: 'timestamptz', thumbnailUrl: 'text?', thumbnailAlt: 'text?' },
});

const REMOVE = statement({
  text: `
    UPDATE products SET deleted_at = $now::timestamptz, slug = NULL WHERE store_id = $storeId AND id = $id AND deleted_at IS NULL
    RETURNING created_at AS "createdAt"`,
  parameters: { ...ONE, now: 'timestamptz' },
  row: { createdAt: 'timestamptz' },
});

const REMOVE_FROM_LISTS = statement({
  text: `
    WITH gone AS (DELETE FROM collection_products WHERE store_id = $storeId AND product_id = $id RETURNING collection_id),
    unsearched AS (DELETE FROM product_search WHERE store_id = $storeId AND product_id = $id)
    UPDATE collections SET product_count = product_count - 1
    WHERE store_id = $storeId AND id = ANY (ARRAY(SELECT collection_id FROM gone))`,
  parameters: ONE,
});

const releaseSlugs = async (
  sql: Sql,
  storeId: string,
  released: readonly { readonly id: string; readonly slug: string }[],
): Promise<void> => {
  if (released.length === 0) return;
  await sql.execute(RELEASE_SLUGS, { storeId, slugs: released.map(({ slug }) => slug), ids: released.map(({ id }) => id) });
};

/**
 * Writes whole products in a number of statements that does not grow with them. Returns how the
 * list of the store changes. The lists are put into JSON while PostgreSQL writes the products, and
 * no statement after that waits for another.
 */
const write = async (sql: Sql, storeId: string, products: readonly Product[]): Promise<Move[]> => {
  const upserted = upsertProducts(sql, storeId, products);
  const [before, nested] = await Promise.all([upserted, Promise.resolve(products).then(nestedRows)]);
  const slugs = new Map(products.map(({ id, slug }) => [id, slug]));
  const released = before.flatMap(({ id, slug }) => (slug !== null && slug !== slugs.get(id) ? [{ id, slug }] : []));
  await inOrder([
    replaceNested(
      sql,
      storeId,
      before.map(({ id }) => id),
      nested,
    ),
    releaseSlugs(sql, storeId, released),
    sql.execute(CLAIM_SLUGS, { storeId, slugs: products.flatMap(({ slug }) => slug ?? []) }),
  ]);
  const found = new Map(before.map((product) => [product.id, product]));
  return products.flatMap((product) => movesOf(product, found.get(product.id)));
};

const messageOf = ({ isDuplicate, detail, message }: RefusedRow): string =>
  isDuplicate ? `id: another record of the store has it (${detail})` : `the product cannot be stored: ${message}`;

/**
 * Planning the checks of the foreign keys for a row takes longer than the checks, so this many
 * products are planned once.
 */
const WORTH_ONE_PLAN = 50;

const writeEach = async (sql: TransactionSql, storeId: string, products: readonly Product[]) => {
  const failures = new Map<string, string>();
  const moves: Move[] = [];
  for (const product of products) {
    const alone = await attempt(sql, () => write(sql, storeId, [product]));
    if ('value' in alone) moves.push(...alone.value);
    else failures.set(product.id, messageOf(alone.refused));
  }
  return { failures, moves };
};

const idsBySlug = (rows: readonly { slug: string; id: string }[]): ReadonlyMap<string, string> =>
  new Map(rows.map(({ slug, id }) => [slug, id]));

export const productRepository = (sql: TransactionSql): ProductRepository => ({
  lockCatalogue: (storeId) => lockCatalogue(sql, storeId),
  idsBySlug: async (storeId, slugs) =>
    idsBySlug(slugs.length === 0 ? [] : await withoutSorting(sql, () => sql.rows(HOLDERS, { storeId, slugs }))),
  idsByFormerSlug: async (storeId, slugs) =>
    idsBySlug(slugs.length === 0 ? [] : await sql.rows(FORMER_HOLDERS, { storeId, slugs })),
  haveFormerSlugs: async (storeId, ids) =>
    ids.length === 0 ? [] : (await sql.rows(HAVE_FORMER, { storeId, ids })).map(({ id }) => id),
  variantsOf: async (storeId, ids) => (ids.length === 0 ? [] : sql.rows(VARIANTS_OF, { storeId, ids })),
  lock: async (storeId, ids) => {
    if (ids.length === 0) return [];
    // Two statements: the second sees what others committed while the first waited for the lock.
    if ((await sql.execute(LOCK_PRODUCT, { storeId, ids })) === 0) return [];
    return (await sql.rows(DOCUMENTS, { storeId, ids })).map(({ product }) => product);
  },
  tagOf: async (storeId, id) => {
    const [product] = await sql.rows(VERSION, { storeId, id });
    return product ? productTag(storeKey(storeId, id), product.version) : null;
  },
  save: async (storeId, products) => {
    if (products.length === 0) return new Map();
    if (products.length >= WORTH_ONE_PLAN) planOnce(sql);
    const together = await attempt(sql, () => write(sql, storeId, products));
    const { failures, moves } =
      'value' in together
        ? { failures: new Map<string, string>(), moves: together.value }
        : await writeEach(sql, storeId, products);
    await recordMoves(sql, storeId, moves);
    return failures;
  },
  insert: async (storeId, products) => {
    const nextPart = inParts(products, WORTH_ONE_PLAN);
    const first = nextPart();
    if (first.length === 0) return new Map();
    if (first.length === WORTH_ONE_PLAN) planOnce(sql);
    const taken: Product[] = [];
    const together = await attempt(sql, () => insertInParts(sql, storeId, { first, nextPart, taken }));
    if ('value' in together) return new Map();
    const { failures, moves } = await writeEach(sql, storeId, taken);
    await recordMoves(sql, storeId, moves);
    return failures;
  },
  addMedia: async (product, media) => {
    const { thumbnailUrl, thumbnailAlt } = listFigures({ ...product, media: [...product.media, media] });
    const storeId = product.tenantId;
    sql.enqueue(ADD_MEDIA, {
      storeId,
      id: media.id,
      productId: product.id,
      ordinal: product.media.length,
      productVariantId: media.productVariantId,
      assetId: media.assetId,
      aiGenerated: media.aiGenerated,
      altText: media.altText,
      contentType: media.contentType,
      position: media.position,
      sizeBytes: media.sizeBytes,
      storageKey: media.storageKey,
      url: media.url,
      createdAt: media.createdAt,
    });
    await sql.execute(SHOW_MEDIA, { storeId, id: product.id, at: media.createdAt, thumbnailUrl, thumbnailAlt });
  },
  remove: async (storeId, id, now) => {
    const [gone] = await sql.rows(REMOVE, { storeId, id, now });
    if (!gone) return false;
    await sql.execute(FORGET_SLUGS, { storeId, id });
    await sql.execute(REMOVE_FROM_LISTS, { storeId, id });
    await recordMoves(sql, storeId, [{ id, createdAt: gone.createdAt, delta: -1 }]);
    return true;
  },
});
