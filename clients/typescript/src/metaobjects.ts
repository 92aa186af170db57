import { segment, split, type CallOptions, type Send } from './call.ts';
import { TenonError } from './tenon-error.ts';
import type { MetaobjectEntry, MetaobjectEntryInput, MetaobjectFilter, OwnMetaobjectEntry } from './types.ts';
import { TAKE } from './walk.ts';

const listOf = (type: string): string => `/custom-data/metaobjects/${segment(type)}/entries`;
const pathOf = (type: string, handle: string): string => `${listOf(type)}/${segment(handle)}`;

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

/** The options of a call with its condition as a header. */
const conditional = ({ ifMatch, ...options }: ConditionOptions): CallOptions => ({
  ...options,
  headers: { ...options.headers, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
});

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
   *
   * @example
   * for await (const { handle, fields } of tenon.metaobjects.list('lookbook')) console.log(handle, fields);
   */
  async *list(type: string, given: MetaobjectFilter & CallOptions = {}): AsyncGenerator<OwnMetaobjectEntry, void> {
    const { options, about: filter } = split(given);
    let after: string | null | undefined;
    while (after !== null) {
      const query = { ...filter, after, take: TAKE };
      const page: Page = (await this.#send<Page>({ ...options, method: 'GET', path: listOf(type), query })).body;
      yield* page.items;
      after = page.next;
    }
  }

  /**
   * The entry of this type and handle, and its ETag. Needs `read_metaobjects`.
   *
   * @example
   * const { entry, etag } = await tenon.metaobjects.get('lookbook', 'spring');
   */
  async get(type: string, handle: string, options: CallOptions = {}): Promise<TaggedEntry> {
    const answer = await this.#send<OwnMetaobjectEntry>({ ...options, method: 'GET', path: pathOf(type, handle) });
    return { entry: answer.body, etag: answer.headers.get('ETag') ?? '' };
  }

  /**
   * Creates or replaces the whole entry of this type and handle. The faults of a refused entry are
   * in the `errors` of the `TenonError`, by the name of the field. Needs `write_metaobjects`.
   *
   * With `ifMatch`, an entry that has another ETag by now is a `TenonError` of the code
   * `precondition_failed`. If its `attempts` are more than 1, an earlier one may have been done.
   *
   * @example
   * await tenon.metaobjects.put('lookbook', 'spring', { fields: { title: 'Spring' } });
   */
  async put(type: string, handle: string, entry: MetaobjectEntryInput, options: ConditionOptions = {}): Promise<WrittenEntry> {
    const call = { ...conditional(options), method: 'PUT', path: pathOf(type, handle), body: entry } as const;
    const answer = await this.#send<MetaobjectEntry>(call);
    return { ...answer.body, etag: answer.headers.get('ETag') ?? '' };
  }

  /**
   * Deletes the entry of this type and handle, as `put` replaces it. Needs `write_metaobjects`.
   *
   * @example
   * await tenon.metaobjects.delete('lookbook', 'spring');
   */
  async delete(type: string, handle: string, options: ConditionOptions = {}): Promise<void> {
    try {
      await this.#send({ ...conditional(options), method: 'DELETE', path: pathOf(type, handle) });
    } catch (error) {
      // An earlier attempt whose answer was lost has deleted it.
      if (error instanceof TenonError && error.status === 404 && error.attempts > 1) return;
      throw error;
    }
  }
}
