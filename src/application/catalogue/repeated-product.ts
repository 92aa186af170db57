import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { normaliseSlug } from '../../domain/catalogue/slug.ts';

/** The public text on a slug that another line of the same file has. */
export const slugInFile = (slug: string, line: number): string => `slug ${slug} is already used in line ${line} of this file.`;

/** The public text on a document whose product another line of the same file has. */
export const repeatedProduct = ({ id, slug }: ProductDocument, productId: string, line: number): string =>
  id === undefined && slug
    ? slugInFile(normaliseSlug(slug) ?? slug, line)
    : `Product ${productId} is already in line ${line} of this file.`;
