import { segment, type CallOptions, type Send } from './call.ts';
import type { MetaobjectEntry, MetaobjectEntryInput } from './types.ts';

/** The app's own entries of the types that the merchant defined. */
export class Metaobjects {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Creates or replaces the whole entry of this type and handle. The faults of a refused entry are
   * in the `errors` of the `TenonError`, by the name of the field. Needs `write_metaobjects`.
   *
   * @example
   * await tenon.metaobjects.put('lookbook', 'spring', { fields: { title: 'Spring' } });
   */
  async put(type: string, handle: string, entry: MetaobjectEntryInput, options: CallOptions = {}): Promise<MetaobjectEntry> {
    const path = `/custom-data/metaobjects/${segment(type)}/entries/${segment(handle)}`;
    return (await this.#send<MetaobjectEntry>({ ...options, method: 'PUT', path, body: entry })).body;
  }
}
