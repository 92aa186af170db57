import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { namedSlug } from './identify-documents.ts';

/** The public text on a slug that another line of the same file has. */
export const slugInFile = (slug: string, line: number): string => `slug ${slug} is already used in line ${line} of this file.`;

/** The public text on a document whose product another line of the same file has. */
export const repeatedProduct = (document: ProductDocument, productId: string, line: number): string => {
  const slug = namedSlug(document);
  return slug === null ? `Product ${productId} is already in line ${line} of this file.` : slugInFile(slug, line);
};
