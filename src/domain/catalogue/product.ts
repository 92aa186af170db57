import type { MEDIA, OPTION, PERSONALIZATION_FIELD, SPECIFICATION } from './fields/part-fields.ts';
import type { PRODUCT, PRODUCT_KINDS, PRODUCT_STATUSES } from './fields/product-fields.ts';
import type { Given, Standard, Whole } from '../fields/record.ts';
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

/** A CSV file says this of a variant. No request can: the schemas do not have it. */
interface RowVariant {
  /** The available stock in the store's own warehouse. The stock in other warehouses is not a part of the file. */
  readonly available?: number | undefined;
  /** The currency is for a new variant alone: the file has no price, and a stored price keeps its own. */
  readonly keepsCurrency?: boolean;
  /** The SKU is for a new variant alone: the file does not say it, and a stored variant keeps its own. */
  readonly keepsSku?: boolean;
}

interface RowMedia {
  /** The place in the document of the variant that the image belongs to; null for none. */
  readonly variantAt?: number | null;
}

interface RowProduct {
  /**
   * True for a document with only the lists of a CSV file's columns: `fromRows` makes a whole
   * document of it.
   */
  readonly isOfRows?: boolean;
  /** The stored media that are not in the list stay. */
  readonly keepsMedia?: boolean;
}

/**
 * A product document as the merchant sends it. One without an id means the live product of the same
 * slug, or else a new one. A media names its variant by its id or by `variantSku`, and a variant an
 * option value by its id or by the texts `option` and `value`.
 */
export type ProductDocument = Omit<Given<typeof PRODUCT>, 'variants' | 'media'> &
  RowProduct & { variants?: VariantDocument[] | undefined; media?: MediaDocument[] | undefined };
export type CategoryDocument = Given<typeof CATEGORY>;
export type TaxClassDocument = Given<typeof TAX_CLASS>;
export type CollectionDocument = Given<typeof COLLECTION>;
export type VariantDocument = Given<typeof VARIANT> & RowVariant;
export type MediaDocument = Given<typeof MEDIA> & RowMedia;
type Lists = { [K in keyof Product]: Product[K] extends readonly object[] ? K : never }[keyof Product];
export type GivenElement<List extends Lists> = NonNullable<ProductDocument[List]>[number];
/** The standard fields that a document may give. */
export type GivenStandard = { [K in Exclude<keyof Standard, 'tenantId'>]?: Standard[K] | undefined };
