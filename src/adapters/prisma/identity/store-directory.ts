import { LRUCache } from 'lru-cache';

import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

export const FIND_STORE_OF_DOMAIN = statement({
  text: 'SELECT store AS id FROM store_domains WHERE domain = $domain',
  parameters: { domain: 'text' },
  row: { id: 'uuid' },
});

/** The domains that a node remembers; the one that was used the longest ago is forgotten beyond this many. */
const CAPACITY = 20_000;

/** Finds the store of a domain. It is remembered, so that a request needs no look-up for it. */
export class StoreDirectory {
  readonly #sql: Sql;
  readonly #ids: LRUCache<string, string>;

  constructor(sql: Sql, capacity = CAPACITY) {
    this.#sql = sql;
    this.#ids = new LRUCache({ max: capacity });
  }

  /**
   * Returns the result of `look` in the store of the domain; null when no store has the domain.
   * `look` finds nothing in a store that has another domain now: so a memory that is out of date
   * refuses what it should not, and never the other way round. Where nothing is found, the store is
   * looked up again.
   */
  async find<T>(domain: string, look: (storeId: string) => Promise<T | null>): Promise<T | null> {
    const known = this.#ids.get(domain);
    const found = known === undefined ? null : await look(known);
    if (found !== null) return found;
    const storeId = await this.#read(domain);
    return storeId === null || storeId === known ? null : look(storeId);
  }

  /** A domain that no store has is not remembered: anybody may name any number of them. */
  async #read(domain: string): Promise<string | null> {
    const [store] = await this.#sql.rows(FIND_STORE_OF_DOMAIN, { domain });
    if (store) this.#ids.set(domain, store.id);
    else this.#ids.delete(domain);
    return store?.id ?? null;
  }
}
