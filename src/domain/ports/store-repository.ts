import type { Page, PageOf } from '../page.ts';
import type { Store, StoreStatus } from '../identity/store.ts';

export interface NewStore {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
  readonly currency: string;
}

export interface StoreChanges {
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly status?: StoreStatus | undefined;
}

export interface StoreRepository {
  /** Creates an active store. `domain_taken`, and nothing is written, when another has the domain. */
  create(store: NewStore): Promise<Store | 'domain_taken'>;
  /** Null when there is no such store. */
  get(id: string): Promise<Store | null>;
  /** A page of all stores by creation, then id. */
  list(page: Page): Promise<PageOf<Store>>;
  /** Changes what is given and sets updatedAt. Null when there is no such store. `domain_taken`, and nothing changes, when another has the domain. Becoming Inactive revokes every token of the store for good. Becoming Inactive aborts what is in flight and holds what is queued, as it was. */
  update(id: string, changes: StoreChanges): Promise<Store | 'domain_taken' | null>;
}
