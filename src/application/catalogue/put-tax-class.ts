import type { Cause } from '../../domain/cause.ts';
import type { Alone } from '../../domain/catalogue/fields/record.ts';
import { TAX_CLASS } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { putRecord } from '../../domain/catalogue/new-record.ts';
import type { TaxClass } from '../../domain/catalogue/product.ts';
import { checkTaxClass } from '../../domain/catalogue/taxonomy-checks.ts';
import { taxClassEvents } from '../../domain/catalogue/taxonomy-events.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { saveWithEvent } from './save-with-event.ts';

export type TaxClassInput = Alone<typeof TAX_CLASS>;

/** Creates or replaces the tax class, with its event. A write that changes nothing has no event. */
export const putTaxClass =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    input: TaxClassInput,
  ): Promise<Result<TaxClass, 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const { code } = input;
    return transaction.run(cause, async ({ products, taxClasses, events }) => {
      await products.lockCatalogue(storeId);
      const known = await taxClasses.find(storeId, { ids: [id], codes: [code], names: [] });
      const refusal = checkTaxClass({ id, code }, known);
      if (refusal) return refusal;
      const place = { id, storeId, known, now: isoTime(clock.now()) };
      const taxClass = putRecord<TaxClass, TaxClassInput>(TAX_CLASS, place, input, {});
      return ok(await saveWithEvent(taxClass, known, { events, records: taxClasses, eventsOf: taxClassEvents }));
    });
  };
