import { randomUUID } from 'node:crypto';

/**
 * A row of products, categories, tax_classes or collections has a new revision after each statement that writes it, or a
 * row that is shown below it (test/architecture/revisions.test.ts): the trigger draw_revision draws it for an UPDATE, and
 * the column's default for a row of VALUES. Rows from parameters bring theirs: with a default that is drawn for each of
 * them, Citus would carry them over its coordinator.
 */
export const REVISION = { revision: 'uuid' } as const;

export const newRevision = () => ({ revision: randomUUID() });

/**
 * The version of a product as a list shows it: of the product `p` and its category `c`. It is
 * random, so it never identifies different content, even after a restore or a failover.
 */
export const ITEM_VERSION = 'concat(p.revision, c.revision)';

/** The version of a product's whole document: of the product `p`, its category `c` and its tax class `x`. */
export const PRODUCT_VERSION = 'concat(p.revision, c.revision, x.revision)';

/** The rows beside the product `p` of store `$storeId` that PRODUCT_VERSION reads. */
export const WITH_CATEGORY = 'LEFT JOIN categories c ON c.store_id = $storeId AND c.id = p.category_id';
export const WITH_TAX_CLASS = 'LEFT JOIN tax_classes x ON x.store_id = $storeId AND x.id = p.tax_class_id';
