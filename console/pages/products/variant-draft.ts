import type { Product, VariantBulkResult } from '../../api/types.ts';

export type Variant = Product['variants'][number];
export type VariantResult = VariantBulkResult['results'][number];
/** The stock of a variant at a location. The stamp is null where there never was any. */
export type Place = VariantResult['stock'][number];

export const STOCK_MODES = ['keep', 'set', 'adjust'] as const;
export interface StockDraft {
  readonly mode: (typeof STOCK_MODES)[number];
  readonly text: string;
}

/** Input of the reader. `stock` is in the order of the places. */
export interface VariantDraft {
  readonly price: string;
  readonly compareAtPrice: string;
  readonly stock: readonly StockDraft[];
}

export const placesOf = ({ inventory, tenantId }: Variant): readonly Place[] =>
  inventory.length > 0 ? inventory : [{ warehouseId: tenantId, available: 0, onHand: 0, reserved: 0, concurrencyStamp: null }];

const priceTextOf = (price: number | null): string => (price === null ? '' : String(price));

export const draftOf = (variant: Variant): VariantDraft => ({
  price: priceTextOf(variant.price),
  compareAtPrice: priceTextOf(variant.compareAtPrice),
  stock: placesOf(variant).map(() => ({ mode: 'keep', text: '' })),
});

const WHOLE = { set: /^\d{1,10}$/, adjust: /^[+-]?\d{1,10}$/ } as const;

/** The number that is entered. Null where the text does not fit the mode. */
const numberOf = ({ mode, text }: StockDraft): number | null =>
  mode !== 'keep' && WHOLE[mode].test(text.trim()) ? Number(text) : null;

/** The available stock after the change; null where nothing valid is entered. */
export const nextStock = (draft: StockDraft, { available }: Place): number | null => {
  const number = numberOf(draft);
  return number === null ? null : draft.mode === 'adjust' ? available + number : number;
};

/** Says what is wrong with the number; null for an empty field. */
export const stockFault = (draft: StockDraft, place: Place): string | null => {
  if (draft.mode === 'keep' || draft.text.trim() === '') return null;
  const next = nextStock(draft, place);
  if (next === null)
    return draft.mode === 'set' ? 'Enter a whole number of 0 or more.' : 'Enter a whole number, such as 5 or -2.';
  return next < 0 && next < place.available ? `Only ${place.available.toLocaleString()} are available.` : null;
};

/** To set the stock, what the reader has seen must still be there. An adjustment needs no such condition. */
const stockChange = (draft: StockDraft, { warehouseId, concurrencyStamp }: Place): object => {
  if (draft.mode === 'adjust') return { warehouseId, adjust: numberOf(draft) };
  const expected = concurrencyStamp === null ? { ifAvailable: 0 } : { ifStamp: concurrencyStamp };
  return { warehouseId, set: numberOf(draft), ...expected };
};

/** The change of the variant; null while the draft changes nothing, or has something that cannot be sent. */
export const changeOf = (variant: Variant, draft: VariantDraft, places: readonly Place[]): object | null => {
  const price = draft.price.trim();
  const compareAtPrice = draft.compareAtPrice.trim();
  const changed = places.flatMap((place, index) => {
    const at = draft.stock[index];
    return at && at.mode !== 'keep' ? [{ at, place }] : [];
  });
  if (price === '' || changed.some(({ at, place }) => numberOf(at) === null || stockFault(at, place) !== null)) return null;
  const isPriced = price !== priceTextOf(variant.price);
  const isReduced = compareAtPrice !== priceTextOf(variant.compareAtPrice);
  if (!isPriced && !isReduced && changed.length === 0) return null;
  return {
    id: variant.id,
    ...(isPriced && { price }),
    ...(isReduced && { compareAtPrice: compareAtPrice === '' ? null : compareAtPrice }),
    ...(changed.length > 0 && { stock: changed.map(({ at, place }) => stockChange(at, place)) }),
  };
};
