import type { Definition, Entry, EntryContent, Reference } from '../../custom-data/metaobject.ts';
import type { Page, PageOf } from '../../page.ts';

export interface EntryOwner {
  readonly storeId: string;
  readonly installationId: string;
}

/**
 * The unique key of an entry. Each installation has its own, so that apps cannot collide or probe.
 */
export interface EntryPlace extends EntryOwner {
  readonly type: string;
  readonly handle: string;
}

/** By handle. Starts after the handle `after`, or at the first entry when it is null. */
export interface EntryRange {
  readonly after: string | null;
  readonly limit: number;
  /** Only entries that have the id of this product in a field of products. */
  readonly product?: string | undefined;
}

export interface PutEntry {
  readonly entry: Entry;
  readonly change: 'created' | 'updated' | 'unchanged';
}

export interface MetaobjectRepository {
  /**
   * Returns a page of the type's entries of all installations by creation, then id. Returns null
   * when the store has no such type.
   */
  list(storeId: string, type: string, page: Page): Promise<PageOf<Entry> | null>;
  /**
   * Returns the installation's entries of the type in the range, by handle. Finds a product in the
   * fields that are of products now, alone or in a list, and in no other. Returns null when the
   * store has no such type.
   */
  listOwn(owner: EntryOwner, type: string, range: EntryRange): Promise<readonly Entry[] | null>;
  /** Returns the entry. Returns null when the installation does not have it. */
  find(place: EntryPlace): Promise<Entry | null>;
}

export interface MetaobjectWrites {
  /**
   * Returns the definition. Keeps other transactions from locking it until this one ends, but not
   * from sharing it. Returns null when the store has no such type.
   */
  shareDefinition(storeId: string, type: string): Promise<Definition | null>;
  /**
   * Returns the definition. Keeps other transactions from sharing or locking the definition until
   * this one ends. Keeps them from locking the type, also when it is not defined yet. Returns null
   * when the store has no such type.
   */
  lockDefinition(storeId: string, type: string): Promise<Definition | null>;
  /**
   * Creates or replaces the definition. Returns false and writes nothing when the store does not
   * exist.
   */
  putDefinition(storeId: string, definition: Definition): Promise<boolean>;
  /**
   * Returns at most `limit` entries of the type, of all installations, with ids after `after`, by
   * id.
   */
  entriesAfter(storeId: string, type: string, after: string | null, limit: number): Promise<readonly Entry[]>;
  /**
   * Returns the references to live targets of the store. Leaves out references to entries of other
   * installations.
   */
  existing(owner: EntryOwner, references: readonly Reference[]): Promise<readonly Reference[]>;
  /**
   * Creates the entry with the new id. Replaces the content of an existing entry, which keeps its
   * id. Leaves an entry with equal content unchanged, with its updatedAt. Two installations can
   * have entries with the same type and handle.
   */
  putEntry(place: EntryPlace, content: EntryContent, newId: string): Promise<PutEntry>;
  /**
   * Returns the entry. Keeps other transactions from locking, replacing or deleting it until this
   * one ends. Returns null when the installation does not have it.
   */
  lockEntry(place: EntryPlace): Promise<Entry | null>;
  /** Deletes the entry. The entries of other installations stay. */
  deleteEntry(place: EntryPlace): Promise<void>;
}
