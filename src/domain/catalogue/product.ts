import type { MEDIA, OPTION, PERSONALIZATION_FIELD, SPECIFICATION } from './fields/part-fields.ts';
import type { PRODUCT, PRODUCT_KINDS, PRODUCT_STATUSES } from './fields/product-fields.ts';
import type { Given, Standard, Whole } from './fields/record.ts';
import type { CATEGORY, COLLECTION, TAX_CLASS } from './fields/taxonomy-fields.ts';
import type { VARIANT } from './fields/variant-fields.ts';

export { PRODUCT_KINDS, PRODUCT_STATUSES } from './fields/product-fields.ts';
export type { Standard };

export type ProductKind = (typeof PRODUCT_KINDS)[number];
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export type Product = Whole<typeof PRODUCT>;
export type Category = Whole<typeof CATEGORY>;
export type TaxClass = Whole<typeof TAX_CLASS>;
export type Collection = Whole<typeof COLLECTION>;
export type Variant = Whole<typeof VARIANT>;
export type Inventory = Variant['inventory'][number];
export type VariantOptionValue = Variant['optionValues'][number];
export type Media = Whole<typeof MEDIA>;
export type ProductOption = Whole<typeof OPTION>;
export type PersonalizationField = Whole<typeof PERSONALIZATION_FIELD>;
export type Specification = Whole<typeof SPECIFICATION>;

/** What a CSV file says of a variant in its own way. No request can say it: their schemas do not have it. */
interface FileVariant {
  /** The available stock in the store's own warehouse. The stock in other warehouses is not a part of the file. */
  readonly available?: number | undefined;
  /** The currency is for a new variant alone: the file has no price, and a stored price keeps its own. */
  readonly keepsCurrency?: boolean;
}

/**
 * A product document as the merchant sends it. One without an id means the live product of the same
 * slug, or else a new one. A media names its variant by its id or by `variantSku`, and a variant an
 * option value by its id or by the texts `option` and `value`.
 */
export type ProductDocument = Given<typeof PRODUCT>;
export type CategoryDocument = Given<typeof CATEGORY>;
export type TaxClassDocument = Given<typeof TAX_CLASS>;
export type CollectionDocument = Given<typeof COLLECTION>;
export type VariantDocument = Given<typeof VARIANT> & FileVariant;
type Lists = { [K in keyof Product]: Product[K] extends readonly object[] ? K : never }[keyof Product];
export type GivenElement<List extends Lists> = NonNullable<ProductDocument[List]>[number];
/** What a document may give of the standard fields. */
export type GivenStandard = { [K in Exclude<keyof Standard, 'tenantId'>]?: Standard[K] | undefined };
