import type { Readable } from 'node:stream';

import type { Renewal } from './renewal.ts';

/** A body of any size, which its handler reads while it arrives. */
export class StreamBody {
  readonly contentType: string;
  readonly charset: string | undefined;
  readonly #stream: Readable;

  constructor({ contentType, charset }: Pick<StreamBody, 'contentType' | 'charset'>, stream: Readable) {
    [this.contentType, this.charset, this.#stream] = [contentType, charset, stream];
  }

  /** Ends early once the access of the sender has. An early end of reading leaves the request whole for its answer. */
  async *read(renewal: Renewal): AsyncGenerator<Uint8Array> {
    const chunks: AsyncIterable<Uint8Array> = this.#stream.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      if (!(await renewal.wasAllowedLately())) return;
      yield chunk;
    }
  }
}
