import type { Alone } from '../../domain/catalogue/fields/record.ts';
import { TAX_CLASS } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { putRecord } from '../../domain/catalogue/new-record.ts';
import type { TaxClass } from '../../domain/catalogue/product.ts';
import { checkTaxClass } from '../../domain/catalogue/taxonomy-checks.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
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
      const refusal = checkTaxClass({ id, code }, known);
      if (refusal) return refusal;
      const place = { id, storeId, known, now: isoTime(clock.now()) };
      const taxClass = putRecord<TaxClass, TaxClassInput>(TAX_CLASS, place, input, {});
      await taxClasses.save(storeId, [taxClass]);
      return ok(taxClass);
    });
  };
