import { anything, double, flag, id, int32, list, map, text, time } from '../fields/kinds.ts';
import { PRODUCT } from '../catalogue/fields/product-fields.ts';
import { part, partial } from '../fields/record.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { CATEGORY, CATEGORY_CONTENT, COLLECTION, TAX_CLASS, TAX_CLASS_CONTENT } from '../catalogue/fields/taxonomy-fields.ts';
import { ALL_SCOPES } from '../identity/scope.ts';
import { ITEM_ERRORS, ITEM_STATUSES } from '../media/media-import.ts';
import { pick } from '../values/pick.ts';

const ORIGIN = { orNull: true, about: 'The installation that made the change. Null for the merchant.' } as const;
const origin = id(ORIGIN);
const byApp = id({ ...ORIGIN, example: 30 });

const productId = id({ example: 1 });

/** A deleted resource. `example` is the number of its id in the examples. */
export const deleted = (example: number) => part({ id: id({ example }), origin });

export const NEW_PRODUCT = part({ id: productId, origin, product: PRODUCT });

const CHANGED_PRODUCT = partial(PRODUCT, 'ProductFields', 'Only the fields listed in `changedFields`.');
const PRICES = part({ price: double({}), compareAtPrice: double({ orNull: true }), isOnSale: flag({}) });

export const PRODUCT_CHANGE = part({
  id: productId,
  origin,
  changedFields: list(text({}), { example: ['name'] }),
  previous: CHANGED_PRODUCT,
  current: CHANGED_PRODUCT,
  variants: list(part({ productVariantId: id({}), sku: text({}), previous: PRICES, current: PRICES }), {
    isOptional: true,
    about:
      'The variants with new prices, if any. `previous` and `current` have `variants` only if these differ in more than prices and stock.',
  }),
});

const figures = (available: number) =>
  part({ available: int32({ example: available }), onHand: int32({ example: available + 2 }), reserved: int32({ example: 2 }) });

export const STOCK_CHANGE = part({
  id: productId,
  origin,
  variants: list(
    part({
      productVariantId: id({ example: 2 }),
      sku: text({ example: 'SAW-280' }),
      previous: int32({ example: 14, about: 'The available stock in all warehouses.' }),
      current: int32({ example: 12 }),
    }),
    {},
  ),
  warehouses: list(
    part({
      productVariantId: id({ example: 2 }),
      warehouseId: id({ example: 8 }),
      name: text({
        example: 'Main warehouse',
        isOptional: true,
        about: 'Of the warehouse: its id, if it has no name. Events of versions before this field do not have it.',
      }),
      previous: figures(14),
      current: figures(12),
      reason: text({ orNull: true, example: 'Damaged', about: 'Of the bulk update that changed it.' }),
      reference: text({ orNull: true, about: 'The id that the bulk update gave to the change.' }),
    }),
    { about: 'The warehouses in which the figures of a variant changed.' },
  ),
});

export const CATEGORY_STATE = part({ ...pick(CATEGORY.fields, CATEGORY_CONTENT), origin });
export const TAX_CLASS_STATE = part({ ...pick(TAX_CLASS.fields, TAX_CLASS_CONTENT), origin });
export const COLLECTION_STATE = part({ ...COLLECTION.fields, origin });

export const ENTRY_STATE = part({
  id: id({ example: 50 }),
  type: text({ example: 'color_chart' }),
  handle: text({ example: 'linen' }),
  fields: map(anything, { example: { title: 'Linen', hex: '#f4ede0' } }),
  translations: map(
    part({ fields: map(text({}), {}), seoTitle: text({ orNull: true }), seoDescription: text({ orNull: true }) }),
    { orNull: true },
  ),
  publishedAt: time({ orNull: true }),
  seoTitle: text({ orNull: true, example: 'Linen' }),
  seoDescription: text({ orNull: true }),
  origin: byApp,
});

export const DELETED_ENTRY = part({ id: id({ example: 50 }), origin: byApp });

/** An item of an import that has ended: no item waits any more. */
export const ENDED_ITEM = part(
  {
    index: int32({ example: 0, about: 'The position in the request, starting at 0.' }),
    status: text({ values: ITEM_STATUSES, example: 'Ready' }),
    mediaId: id({ orNull: true, example: 51, about: 'The id of the media in the product detail, once the item is Ready.' }),
    error: text({ orNull: true }),
    errorCode: text({
      values: ITEM_ERRORS,
      orNull: true,
      about:
        'too_large: too many bytes or pixels. unsupported_type: not an image of a supported type, or an AVIF image sequence. decode_failed: damaged, incomplete, or larger than it declares. `error` says which, and names the format that was found. fetch_failed and timeout: `error` names the last response or fault, and how often the host was asked if it may pass.',
    }),
  },
  'EndedMediaImportItem',
);

export const endedImport = <const S extends readonly [string, ...string[]]>(...statuses: S) =>
  part({ id: id({ example: 50 }), status: text({ values: statuses, example: statuses[0] }), items: list(ENDED_ITEM, {}) });

export const ORDER = map(anything, {
  about: 'The data sent by the merchant. If the body would exceed 256 KB, only its `id`.',
  example: { id: 'order-1001', number: '1001', total: 49.9, currency: 'EUR' },
});

/** An installation of a platform app, as it is when the event is recorded. */
export const INSTALLED_APP = part({
  id: id({ example: 30, about: 'The installation.' }),
  name: text({ example: 'Stock sync' }),
  domain: text({ example: 'sunrise.example.com', about: 'Of the store.' }),
  isSandbox: flag({ default: false, about: 'Whether it is a sandbox store.' }),
  scopes: list(text({ values: ALL_SCOPES }), { example: ['read_orders', 'write_inventory'] }),
});

export const UNINSTALLED_APP = part({
  id: id({ example: 30 }),
  name: text({ example: 'Catalogue sync' }),
  domain: text({ example: 'shop.example.com' }),
});

export const SUBSCRIPTION_STATE = part({
  id: id({ example: 40 }),
  installationId: id({ orNull: true, example: 30 }),
  url: text({ example: 'https://hooks.example.com/tenon' }),
  failingSince: time({ orNull: true, example: EXAMPLE_TIME }),
});
