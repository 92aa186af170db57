import type { CallOptions, KeyOptions } from './call.ts';
import { importRun, type ImportRun } from './import-run.ts';
import { Resource } from './resource.ts';
import type { MediaImport, MediaImportItem } from './types.ts';

const PATH = '/apps/media/imports';

/** Images that the server fetches, keeps and adds to products. */
export class Media extends Resource {
  /**
   * Starts an import of 1 to 20 images. Await it for the import as it begins, or await its
   * `completed()`. Again with the same key and items, it is the same import. Needs `write_products`.
   *
   * @example
   * const items = [{ sourceUrl: 'https://images.example.com/saw.jpg', productId }];
   * const done = await tenon.media.import(items, { key: 'images/saw' }).completed();
   */
  import(items: readonly MediaImportItem[], options: KeyOptions): ImportRun {
    const started = this.read<MediaImport>('POST', [PATH], { ...options, body: { items } });
    return importRun(started, (id, reading) => this.get(id, reading));
  }

  /**
   * An import of the app, as far as it is. Needs `read_products`.
   *
   * @example
   * const { status } = await tenon.media.get(importId);
   */
  get(importId: string, options?: CallOptions): Promise<MediaImport> {
    return this.read('GET', [PATH, importId], options);
  }
}
