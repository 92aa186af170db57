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
  const live = variants.filter(({ isDeleted }) => !isDeleted);
  const prices = live.map(({ price }) => price);
  const thumbnail = media.filter(({ isDeleted }) => !isDeleted).sort((a, b) => a.position - b.position)[0];
  const stock = live.flatMap(({ inventory }) => inventory).filter(({ isDeleted }) => !isDeleted);
  return {
    currency: live[0]?.currency ?? null,
    // Not Math.min(...prices): 150,000 arguments overflow the stack.
    minPrice: prices.length > 0 ? prices.reduce((least, price) => Math.min(least, price)) : null,
    maxPrice: prices.length > 0 ? prices.reduce((most, price) => Math.max(most, price)) : null,
    totalInventory: stock.reduce((total, { available }) => total + available, 0),
    variantCount: live.length,
    thumbnailUrl: thumbnail?.url ?? null,
    thumbnailAlt: thumbnail?.altText ?? null,
  };
};
