import { listFigures } from '../../../domain/catalogue/list-figures.ts';
import type { ProductRepository } from '../../../domain/ports/catalogue/product-repository.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { planOnce } from '../connection/plans.ts';
import { attempt, inOrder, type RefusedRow } from '../connection/savepoint.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { inParts, insertInParts } from './insert-in-parts.ts';
import { lockCatalogue } from '../work/catalogue-lock.ts';
import { movesOf, recordMoves, type Move } from './list-moves.ts';
import { ADD_MEDIA, DOCUMENTS, LOCK_PRODUCT, REMOVE, REMOVE_FROM_LISTS, SHOW_MEDIA, VARIANTS_OF } from './product-statements.ts';
import { nestedRows, replaceNested, upsertProducts } from './product-writes.ts';
import {
  CLAIM_SLUGS,
  FORGET_SLUGS,
  FORMER_HOLDERS,
  HAVE_FORMER,
  HOLDERS,
  RELEASE_SLUGS,
  withoutSorting,
} from './slug-history.ts';

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
