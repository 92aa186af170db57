import type { ProductDocument, ProductStatus } from '../../../domain/product.ts';
import type { ShopifyRow } from './shopify-row.ts';

const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

const STATUSES: Readonly<Record<string, ProductStatus>> = { active: 'Active', draft: 'Draft', archived: 'Archived' };

/** The status a first row gives, or null when it is none. Older exports have no Status: there Published tells. */
export const statusOf = (first: ShopifyRow): ProductStatus | null => {
  const status = first.cell('Status').toLowerCase();
  if (status !== '') return STATUSES[status] ?? null;
  return first.cell('Published').toLowerCase() === 'false' ? 'Draft' : 'Active';
};

/** The options of the product: their names stand in one row, their values in every variant's. No ids: the store keeps those it has by name. */
const readOptions = (rows: readonly ShopifyRow[]) =>
  [1, 2, 3].flatMap((number) => {
    const name = rows.map((row) => row.cell(`Option${number} Name`)).find((text) => text !== '') ?? '';
    const values = distinct(rows.map((row) => row.variant?.options[number - 1] ?? ''));
    // What Shopify writes for a product without options.
    const isDefault = name === 'Title' && values.length === 1 && values[0] === 'Default Title';
    if (name === '' || values.length === 0 || isDefault) return [];
    return [{ number, name, values: values.map((value, at) => ({ value, position: at + 1 })) }];
  });

/** A SKU for a variant without one, the same on every import: the handle with the variant's option values. */
const derivedSku = (handle: string, options: readonly string[]): string =>
  [handle, ...options.filter((value) => value !== '' && value !== 'Default Title')]
    .map((text) => text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
    .join('-')
    .toLowerCase();

const readVariants = (handle: string, rows: readonly ShopifyRow[], options: ReturnType<typeof readOptions>, currency: string) => {
  const seen = new Map<string, number>();
  return rows.flatMap(({ variant }) => {
    if (variant === null) return [];
    const wanted = variant.sku || derivedSku(handle, variant.options);
    const count = (seen.get(wanted) ?? 0) + 1;
    seen.set(wanted, count);
    return [
      {
        // A SKU that the file itself repeats stays as it is; only a derived one must differ.
        sku: variant.sku === '' && count > 1 ? `${wanted}-${count}` : wanted,
        currency,
        price: variant.price,
        compareAtPrice: variant.compareAtPrice,
        isOnSale: variant.compareAtPrice !== null && variant.compareAtPrice > variant.price,
        barcode: variant.barcode,
        weightGrams: variant.grams,
        optionValues: options.flatMap(({ number, name: option }) => {
          const value = variant.options[number - 1] ?? '';
          return value === '' ? [] : [{ option, value }];
        }),
        inventory: variant.quantity === null ? [] : [{ available: variant.quantity, onHand: variant.quantity }],
        image: variant.image,
      },
    ];
  });
};

/** Each image once, by its position; a variant's own image belongs to that variant unless several share it. */
const readMedia = (rows: readonly ShopifyRow[], variants: ReturnType<typeof readVariants>) => {
  const images = new Map<string, { altText: string | null; position: number }>();
  for (const { image } of rows) {
    if (image === null) continue;
    const known = images.get(image.url);
    if (known) known.altText ??= image.altText;
    else images.set(image.url, { altText: image.altText, position: image.position ?? Infinity });
  }
  for (const { image } of variants) {
    if (image !== null && !images.has(image)) images.set(image, { altText: null, position: Infinity });
  }
  // Infinity less Infinity is no number, so equal positions are told apart first.
  return [...images]
    .sort(([, a], [, b]) => (a.position === b.position ? 0 : a.position - b.position))
    .map(([url, { altText }], at) => {
      const owners = variants.filter(({ image }) => image === url);
      const owner = owners.length === 1 ? { variantSku: owners[0]?.sku } : {};
      return { url, altText, position: at + 1, ...owner };
    });
};

/** The product that good rows of one handle tell, in the store's currency. The first row carries what the product has once. */
export const shopifyProduct = (
  rows: readonly [ShopifyRow, ...ShopifyRow[]],
  status: ProductStatus,
  currency: string,
): ProductDocument & { slug: string } => {
  const [first] = rows;
  const { handle, cell } = first;
  const options = readOptions(rows);
  const variants = readVariants(handle, rows, options, currency);
  const category = cell('Type') || (cell('Product Category').split('>').pop() ?? '').trim();
  const vendor = cell('Vendor');
  const isDigital = cell('Gift Card').toLowerCase() === 'true' || cell('Variant Requires Shipping').toLowerCase() === 'false';
  return {
    name: cell('Title'),
    slug: handle,
    description: cell('Body (HTML)') || null,
    metaTitle: cell('SEO Title') || null,
    metaDescription: cell('SEO Description') || null,
    kind: isDigital ? 'Digital' : 'Physical',
    status,
    tags: distinct(cell('Tags').split(',')),
    category: category === '' ? null : { name: category },
    specifications: vendor === '' ? [] : [{ name: 'Vendor', value: vendor, position: 1 }],
    options: options.map(({ number, name, values }) => ({ name, position: number, values })),
    variants: variants.map(({ image: _, ...variant }) => variant),
    media: readMedia(rows, variants),
  };
};
