import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { taxonomyClaims } from '../../domain/catalogue/taxonomy-claims.ts';
import { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { Unsaved } from './unsaved.ts';

interface StoredTaxonomy {
  readonly taxonomy: Taxonomy;
  /** False when the documents embed a category or a tax class that the store does not have. */
  readonly isWhole: boolean;
}

/** Reads what the documents name of the store's categories and tax classes. The taxonomy is made when there is a time to write with. */
export const readTaxonomy = async (
  tx: TransactionPorts,
  storeId: string,
  documents: readonly ProductDocument[],
  unsaved: Unsaved | undefined,
): Promise<(write: WriteContext) => StoredTaxonomy> => {
  const claims = taxonomyClaims(documents);
  const [categories, taxClasses] = await Promise.all([
    tx.categories.find(storeId, claims.categories),
    tx.taxClasses.find(storeId, claims.taxClasses),
  ]);
  const [made, madeTaxClasses] = [unsaved?.categories ?? [], unsaved?.taxClasses ?? []];
  return (write) => {
    const taxonomy = new Taxonomy([...categories, ...made], [...taxClasses, ...madeTaxClasses], write);
    return { taxonomy, isWhole: taxonomy.hasAll(claims) };
  };
};
