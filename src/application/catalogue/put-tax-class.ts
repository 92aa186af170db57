import type { Ports } from '../../domain/ports/index.ts';
import type { TaxClass } from '../../domain/catalogue/product.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

export interface TaxClassInput {
  readonly name: string;
  readonly code: string;
  readonly isDefault?: boolean | undefined;
}

/** Makes the tax class what the input says; its code is the store's only one. */
export const putTaxClass =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    storeId: string,
    id: string,
    { name, code, isDefault }: TaxClassInput,
  ): Promise<Result<TaxClass, 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    return transaction.run(async ({ products, taxClasses }) => {
      await products.lockCatalogue(storeId);
      const known = await taxClasses.find(storeId, { ids: [id], codes: [code], names: [] });
      const holder = known.find((taxClass) => taxClass.code === code && taxClass.id !== id);
      if (holder) return refuse('conflict', `code: taken by tax class ${holder.id}`);
      const current = known.find((taxClass) => taxClass.id === id);
      const now = isoTime(clock.now());
      const standard = current
        ? { ...current, updatedAt: now }
        : { id, tenantId: storeId, createdAt: now, updatedAt: null, deletedAt: null, isDeleted: false };
      const taxClass: TaxClass = { ...standard, name, code, isDefault: isDefault ?? false };
      await taxClasses.save(storeId, [taxClass]);
      return ok(taxClass);
    });
  };
