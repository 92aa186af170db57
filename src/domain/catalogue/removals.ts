import { plural } from '../values/plural.ts';
import { shortened } from '../values/text.ts';
import { live } from './live.ts';
import type { Product, Variant } from './product.ts';

/** The variants, images and stock that a write removes from the stored products. */
export interface Removals {
  /** Number of live variants before the import. */
  readonly ofVariants: number;
  readonly variants: readonly { readonly sku: string; readonly stock: number }[];
  readonly images: readonly string[];
  /** Available stock of the removed variants. */
  readonly stock: number;
}

type Removable = Pick<Variant, 'id' | 'isDeleted'>;

/** Returns the elements that are no longer live. */
const removed = <E extends Removable>(before: readonly E[], after: readonly Removable[]): E[] => {
  const ids = new Set(live(after).map(({ id }) => id));
  return live(before).filter(({ id }) => !ids.has(id));
};

const stockOf = (inventory: Variant['inventory']): number =>
  inventory.reduce((sum, { available }) => sum + Math.max(available, 0), 0);

export const removalsOf = (before: Product, after: Product): Removals => {
  const byId = new Map(live(after.variants).map((variant) => [variant.id, variant]));
  const gone = live(before.variants).map((variant) => ({
    ...{ variant, isGone: !byId.has(variant.id) },
    stock: stockOf(removed(variant.inventory, byId.get(variant.id)?.inventory ?? [])),
  }));
  return {
    ofVariants: gone.length,
    variants: gone.flatMap(({ variant: { sku }, isGone, stock }) => (isGone ? [{ sku, stock }] : [])),
    images: removed(before.media, after.media).map(({ url }) => url),
    stock: gone.reduce((sum, { stock }) => sum + stock, 0),
  };
};

/** The most names in a note, and the most characters of each: an address may have thousands. */
const MAX_NAMED = 20;
const MAX_NAME = 200;

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_NAMED).map((name) => shortened(name, MAX_NAME));
  return names.length > MAX_NAMED ? `${shown.join(', ')} and ${names.length - MAX_NAMED} more` : shown.join(', ');
};

/** Says what is removed, and by its SKU which variants. Null where nothing is. */
export const removalNote = ({ variants, images, stock }: Removals): string | null => {
  const named = variants.map((one) => (one.stock > 0 ? `${one.sku} (${one.stock} in stock)` : one.sku));
  const texts = [
    ...(named.length > 0 ? [`Removes ${plural(named.length, 'variant')} that the file does not have: ${listed(named)}.`] : []),
    ...(images.length > 0 ? [`Removes ${plural(images.length, 'image')} that the file does not have: ${listed(images)}.`] : []),
  ];
  const other = stock - variants.reduce((sum, one) => sum + one.stock, 0);
  if (other > 0) texts.push(`Removes ${plural(other, 'unit')} of stock in warehouses that the file does not have.`);
  return texts.length > 0 ? texts.join(' ') : null;
};

/** Counts what an import would remove from all products of its file. */
export interface RemovalCounts {
  readonly variants: number;
  readonly ofVariants: number;
  readonly images: number;
  readonly stock: number;
}

const MAX_REMOVED = 10;
const MAX_SHARE = 0.1;

/** True where an import needs permission to remove this much. */
export const removesMuch = ({ variants, ofVariants }: RemovalCounts): boolean =>
  variants > MAX_REMOVED && variants > ofVariants * MAX_SHARE;

export const removesMuchMessage = ({ variants, ofVariants, stock }: RemovalCounts): string =>
  `The import would remove ${variants.toLocaleString('en')} of ${plural(ofVariants, 'variant')} of the products in the file, with ${plural(stock, 'unit')} of stock, ` +
  'so nothing was imported. The notes of a dry run name them. To import the file all the same, allow removals: --allow-removals, or allowRemovals=1.';
