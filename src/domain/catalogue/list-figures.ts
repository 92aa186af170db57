import { live } from './live.ts';
import type { Product } from './product.ts';

/**
 * The fields of the product list that are aggregates. They are stored at each write, so the list
 * never aggregates.
 */
export interface ListFigures {
  readonly currency: string | null;
  readonly minPrice: number | null;
  readonly maxPrice: number | null;
  readonly totalInventory: number;
  readonly variantCount: number;
  readonly thumbnailUrl: string | null;
  readonly thumbnailAlt: string | null;
}

/**
 * From live variants and media only. The currency is the first variant's. The thumbnail is the
 * first media by position, then order.
 */
export const listFigures = ({ variants, media }: Pick<Product, 'variants' | 'media'>): ListFigures => {
  const present = live(variants);
  const prices = present.map(({ price }) => price);
  const thumbnail = live(media).sort((a, b) => a.position - b.position)[0];
  const stock = live(present.flatMap(({ inventory }) => inventory));
  return {
    currency: present[0]?.currency ?? null,
    // Not Math.min(...prices): 150,000 arguments overflow the stack.
    minPrice: prices.length > 0 ? prices.reduce((least, price) => Math.min(least, price)) : null,
    maxPrice: prices.length > 0 ? prices.reduce((most, price) => Math.max(most, price)) : null,
    totalInventory: stock.reduce((total, { available }) => total + available, 0),
    variantCount: present.length,
    thumbnailUrl: thumbnail?.url ?? null,
    thumbnailAlt: thumbnail?.altText ?? null,
  };
};
