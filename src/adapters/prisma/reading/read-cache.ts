import { LRUCache } from 'lru-cache';

import { storeKey, type StoreKey } from '../../../domain/store-key.ts';

/** Cost of an entry beside its texts and bytes: its objects, and its places in the tables of the cache. */
const OVERHEAD_BYTES = 400;

const MEBIBYTE = 2 ** 20;

interface Entry {
  readonly version: string;
  readonly body: unknown;
  readonly bytes: number;
}

export interface Shelf<Body> {
  get(key: StoreKey, version: string): Body | undefined;
  put(key: StoreKey, version: string, body: Body): void;
}

export interface ReadCacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
  readonly bytes: number;
}

/** V8 keeps a text in one byte for each character, or in two where one of them needs it. */
export const bytesOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);

/**
 * Renderings that a node keeps, each with the version that it shows. It never says that a rendering
 * is still right: a reader asks PostgreSQL for the version first. Holds at most `megabytes` with the
 * overhead, and forgets first what was read the longest ago.
 */
export class ReadCache {
  readonly #entries: LRUCache<StoreKey, Entry>;
  #hits = 0;
  #misses = 0;

  constructor(megabytes: number) {
    // For lru-cache, 0 means no limit. No entry fits into one byte.
    this.#entries = new LRUCache({ maxSize: Math.max(megabytes * MEBIBYTE, 1), sizeCalculation: ({ bytes }) => bytes });
  }

  /** `sizeOf` gives the bytes of a body. */
  shelf<Body>(name: string, sizeOf: (body: Body) => number): Shelf<Body> {
    return {
      get: (key, version) => {
        const entry = this.#entries.get(storeKey(key, name));
        if (entry?.version !== version) {
          this.#misses += 1;
          return undefined;
        }
        this.#hits += 1;
        return entry.body as Body;
      },
      put: (key, version, body) => {
        const bytes = sizeOf(body) + key.length + version.length + OVERHEAD_BYTES;
        this.#entries.set(storeKey(key, name), { version, body, bytes });
      },
    };
  }

  get figures(): ReadCacheFigures {
    return { hits: this.#hits, misses: this.#misses, entries: this.#entries.size, bytes: this.#entries.calculatedSize };
  }
}
