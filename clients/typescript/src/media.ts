import { segment, type CallOptions, type Send } from './call.ts';
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
   *
   * @example
   * const items = [{ sourceUrl: 'https://images.example.com/saw.jpg', productId }];
   * const done = await tenon.media.import(items, { key: 'images/saw' }).completed();
   */
  import(items: readonly MediaImportItem[], { key, ...options }: KeyOptions): ImportRun {
    const headers = { ...options.headers, 'Idempotency-Key': key };
    const started = this.#send<MediaImport>({ ...options, method: 'POST', path: PATH, headers, body: { items } });
    return new ImportRun(
      started.then(({ body }) => body),
      (id, reading) => this.get(id, reading),
    );
  }

  /**
   * An import of the app, as far as it is. Needs `read_products`.
   *
   * @example
   * const { status } = await tenon.media.get(importId);
   */
  async get(importId: string, options: CallOptions = {}): Promise<MediaImport> {
    const path = `${PATH}/${segment(importId)}`;
    return (await this.#send<MediaImport>({ ...options, method: 'GET', path })).body;
  }
}
