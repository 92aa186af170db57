import type { Definition, Entry, EntryContent, Reference } from '../custom-data/metaobject.ts';
import type { Page, PageOf } from '../page.ts';

export interface EntryOwner {
  readonly storeId: string;
  readonly installationId: string;
}

/** Where an entry stands: unique per store, installation, type and handle, so apps cannot collide or probe. */
export interface EntryPlace extends EntryOwner {
  readonly type: string;
  readonly handle: string;
}

export interface PutEntry {
  readonly entry: Entry;
  readonly change: 'created' | 'updated' | 'unchanged';
}

export interface MetaobjectRepository {
  /** A page of the type's entries of every installation by creation, then id. Null when the store has no such type. */
  list(storeId: string, type: string, page: Page): Promise<PageOf<Entry> | null>;
}

/** Bound to a transaction, so that an entry and its event commit together and no definition changes under an entry. */
export interface MetaobjectWrites {
  /** The definition as it stands until the transaction ends; others may share it, none may change it. Null when the store has no such type. */
  shareDefinition(storeId: string, type: string): Promise<Definition | null>;
  /** Keeps everyone else from sharing or changing the type until the transaction ends, also while it isn't defined yet. Null when it isn't. */
  lockDefinition(storeId: string, type: string): Promise<Definition | null>;
  /** Creates or replaces the definition. False, and nothing is written, when there is no such store. */
  putDefinition(storeId: string, definition: Definition): Promise<boolean>;
  /** Up to `limit` entries of the type, of every installation, whose ids come after `after`, by id. */
  entriesAfter(storeId: string, type: string, after: string | null, limit: number): Promise<readonly Entry[]>;
  /** Those of the references whose target the store has and the owner may see: nothing deleted, of the entries only its own. */
  existing(owner: EntryOwner, references: readonly Reference[]): Promise<readonly Reference[]>;
  /** Creates the entry under the new id or replaces the whole one that stands there, which keeps its id. What is equal stays unchanged, updatedAt too. */
  putEntry(place: EntryPlace, content: EntryContent, newId: string): Promise<PutEntry>;
}
