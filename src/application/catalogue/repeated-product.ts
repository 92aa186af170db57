import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { namedSlug } from './identify-documents.ts';

export const slugInFile = (slug: string, line: number): string => `slug ${slug} is already used in line ${line} of this file.`;

export const repeatedProduct = (document: ProductDocument, productId: string, line: number): string => {
  const slug = namedSlug(document);
  return slug === null ? `Product ${productId} is already in line ${line} of this file.` : slugInFile(slug, line);
};
