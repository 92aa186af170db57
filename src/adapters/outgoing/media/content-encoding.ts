import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { MAX_IMAGE_BYTES } from '../../../domain/media/image.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { ImageRefusal } from './image-refusal.ts';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

export const IMAGE_TOO_LARGE = `The image has more than ${MAX_IMAGE_BYTES / 1024 ** 2} MiB.`;

/** Named as in node:zlib, the codes of Brotli with two underscores. */
const isOfDecoder = (error: unknown): boolean => error instanceof Error && /^(?:Z_|ERR__)/.test(String(codeOf(error)));

const notEncoded = (coding: string): string =>
  `The host says that the file is compressed as ${coding}, and its bytes are damaged, incomplete or not compressed.`;

const unknownCoding = (coding: string): string =>
  `The host compresses the file as ${coding.slice(0, 50)}, which is not supported. Send it as it is, or as gzip, br or deflate.`;

/** Returns the codings that the header names, without those that change nothing. */
const codingOf = (header: string): string => {
  const codings = header.toLowerCase().split(',');
  return codings
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .join(', ');
};

/** Ends a body that would never decode to a byte. */
async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_IMAGE_BYTES) throw new ImageRefusal('too_large', IMAGE_TOO_LARGE);
    yield chunk;
  }
}

/**
 * The bytes of the body without its Content-Encoding, as they come: who reads no further stops the
 * decoder. Some hosts compress although they are asked not to.
 */
export async function* decoded(body: Readable, header: string): AsyncGenerator<Buffer> {
  const coding = codingOf(header);
  if (coding === '') {
    yield* body as AsyncIterable<Buffer>;
    return;
  }
  if (!Object.hasOwn(DECODERS, coding)) throw new ImageRefusal('unsupported_type', unknownCoding(coding));
  const decoder = DECODERS[coding as keyof typeof DECODERS]();
  // The decoder has the error of the body too.
  pipeline(body, bounded, decoder).catch(() => undefined);
  try {
    for await (const chunk of decoder) yield chunk as Buffer;
  } catch (error) {
    throw isOfDecoder(error) ? new ImageRefusal('decode_failed', notEncoded(coding), { cause: error }) : error;
  } finally {
    decoder.destroy();
  }
}
