import type { ImportRecord } from '../../../src/domain/catalogue/import-record.ts';
import { NO_COUNTS, type ImportCounts } from '../../../src/domain/catalogue/product-import.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { ImportKey, ProductImportLog } from '../../../src/domain/ports/catalogue/product-import-log.ts';
import { isoTime, isoTimeOrNull } from '../../../src/domain/time.ts';
import { pick } from '../../../src/domain/values/pick.ts';
import { storesOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';

const COUNTED = Object.keys(NO_COUNTS) as (keyof ImportCounts)[];

/** Times in milliseconds. */
export interface ProductImportRow extends Omit<ImportRecord, 'startedAt' | 'endedAt'> {
  readonly storeId: string;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly endedAt: number | null;
}

export const productImportsOf = (state: MemoryState): Map<string, ProductImportRow> =>
  table<ProductImportRow>(state, 'product_imports');

export const productImportLog = (state: MemoryState, clock: Clock): ProductImportLog => {
  const rows = () => productImportsOf(state);
  const keyOf = ({ storeId, id }: ImportKey): string => `${storeId} ${id}`;
  const change = (key: ImportKey, to: Partial<ProductImportRow>): void => {
    const row = rows().get(keyOf(key));
    if (row) rows().set(keyOf(key), { ...row, seenAt: clock.now(), ...to });
  };
  return {
    begin: async (key, source) => {
      if (!storesOf(state).has(key.storeId) || rows().has(keyOf(key))) return;
      const now = clock.now();
      rows().set(keyOf(key), {
        ...{ ...key, ...source, ...NO_COUNTS },
        ...{ startedAt: now, seenAt: now, endedAt: null, ended: null, errors: [] },
      });
    },
    see: async (key, counts) => change(key, { ...pick(counts, COUNTED), endedAt: null, ended: null }),
    end: async (key, { ended, errors, ...counts }) =>
      change(key, { ...pick(counts, COUNTED), ended, errors, endedAt: clock.now() }),
    list: async (storeId, { after, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      return [...rows().values()]
        .filter((row) => row.storeId === storeId)
        .filter(({ startedAt, id }) => !after || startedAt < after.at || (startedAt === after.at && id < after.id))
        .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
        .slice(0, take)
        .map(({ storeId: _, seenAt: __, startedAt, endedAt, ...row }) => ({
          ...row,
          startedAt: isoTime(startedAt),
          endedAt: isoTimeOrNull(endedAt ?? undefined),
        }));
    },
    giveUp: async (seconds, limit) => {
      const lost = [...rows().values()]
        .filter(({ endedAt, seenAt }) => endedAt === null && clock.now() - seenAt > seconds * 1000)
        .slice(0, limit);
      for (const { seenAt, ...row } of lost) change(row, { ended: 'broken_off', endedAt: seenAt, seenAt });
      return lost.length;
    },
    purge: async (days, limit) => {
      const old = [...rows().values()]
        .filter(({ endedAt }) => endedAt !== null && clock.now() - endedAt > days * 86_400_000)
        .slice(0, limit);
      for (const row of old) rows().delete(keyOf(row));
      return old.length;
    },
  };
};
