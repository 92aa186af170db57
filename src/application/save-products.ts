import type { Ports } from '../domain/ports/index.ts';
import type { Product, ProductDocument } from '../domain/product.ts';

/** What became of one document: `updated` also when nothing changed. `message` is public and names the field. */
export type SavedDocument =
  | { readonly outcome: 'created' | 'updated'; readonly product: Product }
  | { readonly outcome: 'failed'; readonly message: string };

/** Saves the documents in order, one transaction a call: one outcome each; a bad one fails alone. */
export type SaveProducts = (storeId: string, documents: readonly ProductDocument[]) => Promise<SavedDocument[]>;

export const createSaveProducts = (_ports: Pick<Ports, 'clock' | 'ids' | 'transaction'>): SaveProducts => async () => [];
