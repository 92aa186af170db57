import type { CallOptions, Send } from './call.ts';
import { TenonError } from './tenon-error.ts';
import type { MetaobjectEntry, MetaobjectEntryInput, MetaobjectFilter, OwnMetaobjectEntry } from './types.ts';
import { TAKE } from './walk.ts';

const listOf = (type: string): string => `/custom-data/metaobjects/${encodeURIComponent(type)}/entries`;
const pathOf = (type: string, handle: string): string => `${listOf(type)}/${encodeURIComponent(handle)}`;

/** An entry, and what to send to replace or delete it only if it is still the same. */
export interface TaggedEntry {
  readonly entry: OwnMetaobjectEntry;
  readonly etag: string;
}

/** An entry as it was written, and its new ETag. */
export type WrittenEntry = MetaobjectEntry & { readonly etag: string };

/** With `ifMatch`, only an entry with this ETag is changed. */
export interface ConditionOptions extends CallOptions {
  readonly ifMatch?: string | undefined;
}

interface Page {
  readonly items: readonly OwnMetaobjectEntry[];
  readonly next: string | null;
}

const conditionOf = (ifMatch: string | undefined): Readonly<Record<string, string>> =>
  ifMatch === undefined ? {} : { 'If-Match': ifMatch };

/** The app's own entries of the types that the merchant defined. */
export class Metaobjects {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The entries of this type, by handle; the pages are read as you iterate. With `product`, only
   * those that refer to this product. Needs `read_metaobjects`.
   */
  async *list(
    type: string,
    { signal, ...filter }: MetaobjectFilter & CallOptions = {},
  ): AsyncGenerator<OwnMetaobjectEntry, void> {
    let after: string | null | undefined;
    while (after !== null) {
      const query = { ...filter, after, take: TAKE };
      const page: Page = (await this.#send<Page>({ method: 'GET', path: listOf(type), query, signal })).body;
      yield* page.items;
      after = page.next;
    }
  }

  /** The entry of this type and handle, and its ETag. Needs `read_metaobjects`. */
  async get(type: string, handle: string, { signal }: CallOptions = {}): Promise<TaggedEntry> {
    const answer = await this.#send<OwnMetaobjectEntry>({ method: 'GET', path: pathOf(type, handle), signal });
    return { entry: answer.body, etag: answer.headers.get('ETag') ?? '' };
  }

  /**
   * Creates or replaces the whole entry of this type and handle. The faults of a refused entry are
   * in the `errors` of the `TenonError`, by the name of the field. Needs `write_metaobjects`.
   *
   * With `ifMatch`, an entry that has another ETag by now is a `TenonError` of the code
   * `precondition_failed`. If its `attempts` are more than 1, an earlier one may have been done.
   */
  async put(
    type: string,
    handle: string,
    entry: MetaobjectEntryInput,
    { ifMatch, signal }: ConditionOptions = {},
  ): Promise<WrittenEntry> {
    const call = { method: 'PUT', path: pathOf(type, handle), headers: conditionOf(ifMatch), body: entry, signal } as const;
    const answer = await this.#send<MetaobjectEntry>(call);
    return { ...answer.body, etag: answer.headers.get('ETag') ?? '' };
  }

  /** Deletes the entry of this type and handle, as `put` replaces it. Needs `write_metaobjects`. */
  async delete(type: string, handle: string, { ifMatch, signal }: ConditionOptions = {}): Promise<void> {
    try {
      await this.#send({ method: 'DELETE', path: pathOf(type, handle), headers: conditionOf(ifMatch), signal });
    } catch (error) {
      // An earlier attempt whose answer was lost has deleted it.
      if (error instanceof TenonError && error.status === 404 && error.attempts > 1) return;
      throw error;
    }
  }
}
