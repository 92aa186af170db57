import type { CallOptions, Send } from './call.ts';
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
   */
  async put(type: string, handle: string, entry: MetaobjectEntryInput, { signal }: CallOptions = {}): Promise<MetaobjectEntry> {
    const path = `/custom-data/metaobjects/${encodeURIComponent(type)}/entries/${encodeURIComponent(handle)}`;
    return (await this.#send<MetaobjectEntry>({ method: 'PUT', path, body: entry, signal })).body;
  }
}
