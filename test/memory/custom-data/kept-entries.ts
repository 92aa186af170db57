import { KEPT_ENTRIES_DAYS, type Entry } from '../../../src/domain/custom-data/metaobject.ts';
import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { EntryPlace } from '../../../src/domain/ports/custom-data/metaobject-repository.ts';
import { installationsOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';

export interface EntryRow {
  readonly storeId: string;
  readonly entry: Entry;
}

export const rowsOf = (state: MemoryState): Map<string, EntryRow> => table<EntryRow>(state, 'metaobject_entries');

export const keyOf = ({ storeId, installationId, type, handle }: EntryPlace): string =>
  [storeId, installationId, type, handle].join('/');

/** Until when the entries of an uninstalled app are kept, in milliseconds. */
export const termsOf = (state: MemoryState): Map<string, number> => table<number>(state, 'entry_terms');

export const keepEntries = (state: MemoryState, clock: Clock, installationId: string): void => {
  termsOf(state).set(installationId, clock.now() + KEPT_ENTRIES_DAYS * 86_400_000);
};

export const entriesWith = (state: MemoryState, installationId: string): [string, EntryRow][] =>
  [...rowsOf(state)].filter(([, { entry }]) => entry.installationId === installationId);

/** The new installation gets the kept entries of the last one that ended. False where there are none. */
export const takeOver = (
  state: MemoryState,
  clock: Clock,
  { id, storeId }: Pick<Installation, 'id' | 'storeId'>,
  isLast: (installation: Installation) => boolean,
): boolean => {
  const [ended] = [...installationsOf(state).values()]
    .filter((row) => row.storeId === storeId && row.status === 'Uninstalled' && isLast(row))
    .filter((row) => (termsOf(state).get(row.id) ?? Infinity) > clock.now() && entriesWith(state, row.id).length > 0)
    .sort((one, other) => ((one.uninstalledAt ?? '') < (other.uninstalledAt ?? '') ? 1 : -1));
  if (!ended) return false;
  for (const [key, { entry }] of entriesWith(state, ended.id)) {
    rowsOf(state).delete(key);
    const moved = { ...entry, installationId: id };
    rowsOf(state).set(keyOf({ ...moved, storeId }), { storeId, entry: moved });
  }
  termsOf(state).delete(ended.id);
  return true;
};
