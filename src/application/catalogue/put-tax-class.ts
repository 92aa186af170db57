import { completeRecord } from '../../domain/catalogue/fields/complete.ts';
import type { Alone } from '../../domain/catalogue/fields/record.ts';
import { TAX_CLASS } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { newRecord } from '../../domain/catalogue/new-record.ts';
import { belongsTo } from '../../domain/catalogue/owner-texts.ts';
import type { TaxClass } from '../../domain/catalogue/product.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

export type TaxClassInput = Alone<typeof TAX_CLASS>;

export const putTaxClass =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (storeId: string, id: string, input: TaxClassInput): Promise<Result<TaxClass, 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const { code } = input;
    return transaction.run(null, async ({ products, taxClasses }) => {
      await products.lockCatalogue(storeId);
      const known = await taxClasses.find(storeId, { ids: [id], codes: [code], names: [] });
      const holder = known.find((taxClass) => taxClass.code === code && taxClass.id !== id);
      if (holder) return refuse('conflict', belongsTo('code', code, `tax class ${holder.id}`));
      const current = known.find((taxClass) => taxClass.id === id);
      const now = isoTime(clock.now());
      const standard = current ? { ...current, updatedAt: now } : newRecord(id, storeId, now);
      const taxClass = completeRecord<TaxClass, TaxClassInput>(TAX_CLASS, standard, input, {});
      await taxClasses.save(storeId, [taxClass]);
      return ok(taxClass);
    });
  };
