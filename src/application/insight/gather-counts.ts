import { writeByStore } from './write-by-store.ts';

export interface GatheredCounts<Entry> {
  /** The entry of this key, made where there is none yet. Null where a batch has no room for another: its count is lost. */
  of(key: string, make: () => Entry): Entry | null;
  flush(): Promise<void>;
}

export interface CountWrites<Entry> {
  readonly write: (own: readonly Entry[]) => Promise<void>;
  readonly sizeOf: (entry: Entry) => number;
  readonly onLost: (count: number) => void;
}

const MAX_ENTRIES = 10_000;

/**
 * Keeps counts until the next flush. What fails of a store is not sent again, because nobody knows
 * whether it was counted. `onLost` gets how much is not counted.
 */
export const gatherCounts = <Entry extends { readonly storeId: string }>({
  write,
  sizeOf,
  onLost,
}: CountWrites<Entry>): GatheredCounts<Entry> => {
  let counts = new Map<string, Entry>();
  return {
    of: (key, make) => {
      const known = counts.get(key);
      if (known) return known;
      if (counts.size >= MAX_ENTRIES) {
        onLost(1);
        return null;
      }
      const entry = make();
      counts.set(key, entry);
      return entry;
    },
    flush: async () => {
      const batch = [...counts.values()];
      counts = new Map();
      await writeByStore(batch, {
        write,
        onFailed: (own) => {
          onLost(own.reduce((sum, entry) => sum + sizeOf(entry), 0));
        },
      });
    },
  };
};
