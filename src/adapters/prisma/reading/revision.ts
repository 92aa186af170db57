/**
 * What every statement sets that writes a row of products, categories, tax_classes or collections, or
 * a row that is shown below one of them (test/architecture/revisions.test.ts). An inserted row has it
 * by default.
 */
export const NEW_REVISION = 'gen_random_uuid()';

/**
 * The version of a product as a list shows it: of the product `p` and its category `c`. It is
 * random, so it never identifies different content, even after a restore or a failover.
 */
export const ITEM_VERSION = 'concat(p.revision, c.revision)';

/** The version of a product's whole document: of the product `p`, its category `c` and its tax class `x`. */
export const PRODUCT_VERSION = 'concat(p.revision, c.revision, x.revision)';

/** The rows beside the product `p` that PRODUCT_VERSION reads. */
export const WITH_CATEGORY = 'LEFT JOIN categories c ON c.store_id = p.store_id AND c.id = p.category_id';
export const WITH_TAX_CLASS = 'LEFT JOIN tax_classes x ON x.store_id = p.store_id AND x.id = p.tax_class_id';
