import type { FoundProduct, ImportItem } from '../../domain/catalogue/product-import.ts';
import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { RemovalCounts } from '../../domain/catalogue/removals.ts';
import type { Cause } from '../../domain/cause.ts';
import type { StoredVariant } from '../../domain/ports/catalogue/product-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { countsOf } from '../../domain/values/counts.ts';
import { identifyDocuments } from './identify-documents.ts';
import { isFound } from './import-report.ts';
import type { SaveProducts } from './save-products.ts';
import { nothingUnsaved } from './unsaved.ts';

/** Counts what the products of a file would remove, batch after batch. */
export interface RemovalJudge {
  readonly add: (items: readonly ImportItem[]) => Promise<void>;
  readonly removals: () => RemovalCounts;
}

/** True where the document has the id or the SKU of each stored variant. Most products are judged by this alone. */
const keepsAll = ({ document: { variants } }: FoundProduct, stored: readonly StoredVariant[]): boolean => {
  if (variants === undefined) return true;
  const ids = new Set(variants.map(({ id }) => id));
  const skus = countsOf(variants.flatMap(({ id, sku, keepsSku }) => (id === undefined && !keepsSku ? [sku] : [])));
  const own = new Set<string>();
  return stored.every(({ id, sku }) => {
    if (ids.has(id)) return true;
    const isFirst = !own.has(sku);
    own.add(sku);
    return isFirst && skus.get(sku) === 1;
  });
};

type JudgePorts = Pick<Ports, 'ids' | 'transaction'>;

/** Decides what a file would remove, and writes nothing. `save` is that of the import. */
export const judgeRemovals = (
  { ids, transaction }: JudgePorts,
  save: SaveProducts,
  cause: Cause,
  storeId: string,
): RemovalJudge => {
  const byLine = new Map<number, RemovalCounts>();
  const renamed = new Set<string>();
  const judged = new ImportedLines();
  /** The products that may have a variant the file lacks. */
  const suspectsOf = async (found: readonly FoundProduct[]): Promise<FoundProduct[]> => {
    const documents = found.map(({ document }) => document);
    const { identified, stored } = await transaction.run(cause, async (tx) => {
      const context = { storeId, nextId: () => ids.next() };
      const meant = await identifyDocuments(tx, documents, context, { imported: judged, renamed });
      const known = meant.flatMap(({ document, isNew }) => (isNew ? [] : [document.id]));
      return { identified: meant, stored: await tx.products.variantsOf(storeId, known) };
    });
    const variantsOf = new Map<string, StoredVariant[]>();
    for (const variant of stored) {
      const own = variantsOf.get(variant.productId);
      if (own) own.push(variant);
      else variantsOf.set(variant.productId, [variant]);
    }
    const suspects: FoundProduct[] = [];
    for (const [at, item] of found.entries()) {
      const id = identified[at]?.document.id ?? '';
      const variants = variantsOf.get(id) ?? [];
      if (variants.length === 0 || judged.lineOf(id) !== undefined) continue;
      judged.add(id, item.line);
      byLine.set(item.line, { variants: 0, ofVariants: variants.length, images: 0, stock: 0 });
      if (!keepsAll(item, variants)) suspects.push(item);
    }
    return suspects;
  };
  const add = async (items: readonly ImportItem[]): Promise<void> => {
    const suspects = await suspectsOf(items.filter(isFound));
    const file = { imported: new ImportedLines(), renamed: new Set<string>(), unsaved: nothingUnsaved() };
    const given = suspects.map(({ document }) => document);
    const results = await save(cause, storeId, given, { file, lines: suspects.map(({ line }) => line) });
    for (const [at, result] of results.entries()) {
      const line = suspects[at]?.line ?? 0;
      const removals = result.ok ? result.value.removals : undefined;
      // Nothing of it is imported, or it is a new product. The others are not judged by its variants.
      if (!removals) byLine.delete(line);
      else {
        const { variants, images, ...counts } = removals;
        byLine.set(line, { ...counts, variants: variants.length, images: images.length });
      }
    }
    for (const line of items.flatMap((item) => ('message' in item ? (item.spoils ?? []) : []))) byLine.delete(line);
  };
  const sum = (name: keyof RemovalCounts): number => [...byLine.values()].reduce((total, counts) => total + counts[name], 0);
  return {
    add,
    removals: () => ({ variants: sum('variants'), ofVariants: sum('ofVariants'), images: sum('images'), stock: sum('stock') }),
  };
};
