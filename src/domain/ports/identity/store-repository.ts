import type { PlacedPage, PlacedPageOf } from '../../page.ts';
import type { Store, StoreStatus } from '../../identity/store.ts';

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

export interface Sandboxes {
  readonly stores: readonly Store[];
  readonly erasing: number;
}

export interface StoreFilter {
  /** A text in the name or the domain, in any case, beyond ASCII too; or the id, or 8 or more of its first characters. */
  readonly q?: string | undefined;
  readonly status?: StoreStatus | undefined;
  /** Null matches any id. */
  readonly ids?: readonly string[] | null | undefined;
}

export interface StoreRepository {
  /**
   * Creates an active store. Returns `domain_taken` and writes nothing when another store has the
   * domain.
   */
  create(store: NewStore): Promise<Store | 'domain_taken'>;
  /**
   * Creates an active store that is a sandbox of the platform app. Erases the sandbox store of the app that has the domain, in the
   * same transaction. Returns `domain_taken` and writes nothing when any other store has the domain. Returns `too_many` and writes
   * nothing when the app has 5 other sandbox stores. Returns `too_many_erased` and writes nothing when 20 of the app are being
   * erased. Counts those that are made at the same time.
   */
  createSandbox(store: NewStore, appId: string): Promise<Store | 'domain_taken' | 'too_many' | 'too_many_erased'>;
  /** Returns the sandbox stores of the platform app by creation, then id, and how many others of it are being erased. */
  sandboxes(appId: string): Promise<Sandboxes>;
  /** Returns the store. Returns null when the store does not exist, or is being erased. */
  get(id: string): Promise<Store | null>;
  /** Returns the store that has the domain. Returns null when no store has it. */
  atDomain(domain: string): Promise<Store | null>;
  /**
   * Returns a page of all stores by creation, then id, without those that are being erased. Returns
   * only stores that match every filter. Begins behind the place, if one is given. Counts all that
   * match, also before the place.
   */
  list(page: PlacedPage, filter?: StoreFilter): Promise<PlacedPageOf<Store>>;
  /**
   * Changes the given fields and sets updatedAt. Returns null when the store does not exist, or is
   * being erased.
   * Returns `domain_taken` and changes nothing when another store has the domain. An inactive store
   * loses all of its tokens and console sessions for good. An inactive store stops attempts in flight and holds its
   * queued deliveries as they are.
   */
  update(id: string, changes: StoreChanges): Promise<Store | 'domain_taken' | null>;
}
