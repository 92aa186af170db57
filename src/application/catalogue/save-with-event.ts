import type { Standard } from '../../domain/catalogue/product.ts';
import type { EventsOf } from '../../domain/catalogue/taxonomy-events.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';

interface Saving<T> extends Pick<TransactionPorts, 'events'> {
  readonly records: { save(storeId: string, records: readonly T[]): Promise<void> };
  readonly eventsOf: EventsOf<T>;
}

/** Saves the record in place of the known one of its id, with its event. One that changes nothing stays as it is known. */
export const saveWithEvent = async <T extends Standard>(
  record: T,
  known: readonly T[],
  { events, records, eventsOf }: Saving<T>,
): Promise<T> => {
  const current = known.find(({ id }) => id === record.id) ?? null;
  const made = eventsOf(current, record);
  if (current && made.length === 0) return current;
  await records.save(record.tenantId, [record]);
  await events.append(made);
  return record;
};
