import { manualClock } from '../memory/clock.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { Product, ProductDocument } from '../../src/domain/catalogue/product.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';
import { aFullDocument } from './catalogue-worlds.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const only = <T>(found: readonly T[]): T => {
  if (!found[0]) throw new Error('nothing was found');
  return found[0];
};

export interface ChangedDocument {
  readonly id: string;
  /** Changes of the product's document, by name. */
  readonly changes: Readonly<Record<string, () => Promise<unknown>>>;
  readonly remove: () => Promise<unknown>;
}

/** A product that uses every list, with each kind of change of what its document shows. */
export const aChangedDocument = async (
  ports: Pick<Ports, 'transaction'>,
  ids: Ids,
  storeId: string,
): Promise<ChangedDocument> => {
  const saving = saveProducts({ clock: manualClock(Date.parse(NOW)), ids, transaction: ports.transaction });
  const save = async (document: ProductDocument): Promise<Product> => {
    const saved = only(await saving(null, storeId, [document]));
    if (!saved.ok) throw new Error(saved.message);
    return saved.value.product;
  };
  const document = aFullDocument(ids.next());
  const product = await save(document);
  const { id } = product;
  const change = (work: (tx: TransactionPorts) => Promise<unknown>) => () => ports.transaction.run(null, work);
  const found = { ids: [product.category?.id ?? '', product.taxClass?.id ?? ''], slugs: [], codes: [], names: [] };
  return {
    id,
    changes: {
      'a price of a variant': () =>
        save({ ...document, id, variants: document.variants?.map((variant) => ({ ...variant, price: 1 })) ?? [] }),
      'an amount of an inventory, below a variant': () =>
        save({ ...document, id, variants: document.variants?.map((variant) => ({ ...variant, inventory: [] })) ?? [] }),
      'its category': change(async ({ categories }) => {
        const before = (await categories.find(storeId, found)).filter((one) => one.id === product.category?.id);
        await categories.save(storeId, [{ ...only(before), name: 'Renamed' }]);
      }),
      'its tax class': change(async ({ taxClasses }) => {
        await taxClasses.save(storeId, [{ ...only(await taxClasses.find(storeId, found)), name: 'Renamed' }]);
      }),
      'an imported media': change(async ({ products }) => {
        const locked = only(await products.lock(storeId, [id]));
        await products.addMedia(locked, { ...only(locked.media), id: ids.next(), createdAt: NOW });
      }),
      'a bulk update': change(async ({ bulkProducts }) => {
        const before = only(await bulkProducts.lock(storeId, [id]));
        await bulkProducts.update(storeId, [{ before, after: { ...before, metaTitle: 'Changed' } }], NOW);
      }),
    },
    remove: () => ports.transaction.run(null, ({ products }) => products.remove(storeId, id, NOW)),
  };
};
