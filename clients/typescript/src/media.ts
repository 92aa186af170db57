import type { CallOptions, Send } from './call.ts';
import { ImportRun } from './import-run.ts';
import type { KeyOptions } from './bulk.ts';
import type { MediaImport, MediaImportItem } from './types.ts';

const PATH = '/apps/media/imports';

/** Images that the server fetches, keeps and adds to products. */
export class Media {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Starts an import of 1 to 20 images. Await it for the import as it begins, or await its
   * `completed()`. Again with the same key and items, it is the same import. Needs `write_products`.
   */
  import(items: readonly MediaImportItem[], { key, signal }: KeyOptions): ImportRun {
    const headers = { 'Idempotency-Key': key };
    const started = this.#send<MediaImport>({ method: 'POST', path: PATH, headers, body: { items }, signal });
    return new ImportRun(
      started.then(({ body }) => body),
      (id, options) => this.get(id, options),
    );
  }

  /** An import of the app, as far as it is. Needs `read_products`. */
  async get(importId: string, { signal }: CallOptions = {}): Promise<MediaImport> {
    const path = `${PATH}/${encodeURIComponent(importId)}`;
    return (await this.#send<MediaImport>({ method: 'GET', path, signal })).body;
  }
}
