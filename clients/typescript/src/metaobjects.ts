import type { CallOptions, Path } from './call.ts';
import { etagOf, Resource } from './resource.ts';
import type { MetaobjectEntry, MetaobjectEntryInput, MetaobjectFilter, OwnMetaobjectEntry } from './types.ts';

const at = (type: string, ...handle: string[]): Path => ['/custom-data/metaobjects', type, 'entries', ...handle];

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

/** With `createOnly`, an entry that exists already is not replaced. */
export interface PutOptions extends ConditionOptions {
  readonly createOnly?: boolean | undefined;
}

/** The app's own entries of the types that the merchant defined. */
export class Metaobjects extends Resource {
  /**
   * The entries of this type, by handle; the pages are read as you iterate. With `product`, only
   * those that refer to this product. Needs `read_metaobjects`.
   *
   * @example
   * for await (const { handle, fields } of tenon.metaobjects.list('lookbook')) console.log(handle, fields);
   */
  list(type: string, filter: MetaobjectFilter & CallOptions = {}): AsyncGenerator<OwnMetaobjectEntry, void> {
    return this.pages(at(type), filter);
  }

  /**
   * The entry of this type and handle, and its ETag. Needs `read_metaobjects`.
   *
   * @example
   * const { entry, etag } = await tenon.metaobjects.get('lookbook', 'spring');
   */
  async get(type: string, handle: string, options?: CallOptions): Promise<TaggedEntry> {
    const result = await this.call<OwnMetaobjectEntry>('GET', at(type, handle), options);
    return { entry: result.body, etag: etagOf(result) };
  }

  /**
   * Creates or replaces the whole entry of this type and handle. The faults of a refused entry are
   * in the `errors` of the `TenonError`, by the name of the field. Needs `write_metaobjects`.
   *
   * With `ifMatch`, an entry that has another ETag by now is a `TenonError` of the code
   * `precondition_failed`, and so is with `createOnly` one that exists. If its `attempts` are more than 1, an earlier one may have been done.
   *
   * @example
   * await tenon.metaobjects.put('lookbook', 'spring', { fields: { title: 'Spring' } });
   */
  async put(
    type: string,
    handle: string,
    entry: MetaobjectEntryInput,
    { createOnly, ...options }: PutOptions = {},
  ): Promise<WrittenEntry> {
    const etag = createOnly === true ? '*' : undefined;
    const result = await this.call<MetaobjectEntry>('PUT', at(type, handle), { ...options, etag, body: entry });
    return { ...result.body, etag: etagOf(result) };
  }

  /**
   * Deletes the entry of this type and handle, as `put` replaces it. Needs `write_metaobjects`.
   *
   * @example
   * await tenon.metaobjects.delete('lookbook', 'spring');
   */
  async delete(type: string, handle: string, options?: ConditionOptions): Promise<void> {
    await this.call('DELETE', at(type, handle), options);
  }
}
