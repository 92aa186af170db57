import { completeRecord, type FieldPlace, type Rules } from './fields/complete.ts';
import type { RecordField } from '../fields/kinds.ts';
import type { Standard } from './product.ts';

/** The standard fields of a new record. `now` is ISO 8601. */
export const newRecord = (id: string, storeId: string, now: string): Standard => ({
  id,
  tenantId: storeId,
  createdAt: now,
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
});

/** The record that is put with this id, in place of the known one that has it. `now` is ISO 8601. */
export const putRecord = <T extends Standard, G extends object>(
  record: RecordField,
  {
    id,
    storeId,
    now,
    known,
  }: { readonly id: string; readonly storeId: string; readonly now: string; readonly known: readonly T[] },
  given: G,
  rules: Rules<T, G, FieldPlace>,
): T => {
  const current = known.find((other) => other.id === id);
  return completeRecord<T, G>(record, current ? { ...current, updatedAt: now } : newRecord(id, storeId, now), given, rules);
};
