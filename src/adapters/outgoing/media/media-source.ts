import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import {
  IMAGE_HEAD_BYTES,
  imageExtensionOf,
  isAvifSequence,
  isTooManyPixels,
  MAX_IMAGE_BYTES,
  TOO_MANY_PIXELS,
} from '../../../domain/media/image.ts';
import type { ImageExtension } from '../../../domain/media/media-file.ts';
import { otherFormatOf } from '../../../domain/media/other-format.ts';
import { pngSizeOf } from '../../../domain/media/png.ts';
import type { FetchedImage, ImageRequest, MediaSource } from '../../../domain/ports/media/media-source.ts';
import { ok } from '../../../domain/result.ts';
import { createDialler, type DiallerOptions } from '../guard/dialler.ts';
import { Allowance } from './allowance.ts';
import { createDecoder } from './decoder.ts';
import { IMAGE_TOO_LARGE } from './content-encoding.ts';
import { download } from './download.ts';
import { ImageRefusal } from './image-refusal.ts';
import { incomingFiles } from './incoming-files.ts';

export interface MediaSourceOptions extends DiallerOptions {
  readonly directory: string;
  /**
   * For a whole fetch, from the look-up of the name to the last pixel. The wait for the decoder
   * does not count.
   */
  readonly timeoutSeconds: number;
  /** The longest wait for the next byte. 10 by default. */
  readonly idleSeconds?: number;
}

const UNSUPPORTED = 'The file is not a JPEG, PNG, WebP, GIF or AVIF image.';
const SEQUENCE = 'The file is an AVIF image sequence. Send a still AVIF image, or the animation as WebP or GIF.';

const unsupported = (head: Buffer): string => {
  if (isAvifSequence(head)) return SEQUENCE;
  const format = otherFormatOf(head);
  return format === null ? UNSUPPORTED : `The file is ${format}. Use JPEG, PNG, WebP, GIF or AVIF.`;
};

/** Throws an ImageRefusal for a head whose file no decoder needs to see. */
const judgeHead = (head: Buffer): ImageExtension => {
  if (head.length === 0) throw new ImageRefusal('unsupported_type', 'The file is empty.');
  const extension = imageExtensionOf(head);
  if (!extension) throw new ImageRefusal('unsupported_type', unsupported(head));
  // The decoder takes one whose size no PNG can have for damaged.
  if (extension === 'png' && isTooManyPixels(pngSizeOf(head))) throw new ImageRefusal('too_large', TOO_MANY_PIXELS);
  return extension;
};

type Received = Pick<FetchedImage, 'extension' | 'sizeBytes' | 'sha256'>;

/**
 * Writes the bytes as they come. The type is checked at the end, so that a file that is too large
 * is always reported as too large.
 */
const receive = async (chunks: AsyncIterable<Buffer>, file: FileHandle): Promise<Received> => {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_IMAGE_BYTES) throw new ImageRefusal('too_large', IMAGE_TOO_LARGE);
    if (head.length < IMAGE_HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, IMAGE_HEAD_BYTES - head.length)]);
    hash.update(chunk);
    await file.appendFile(chunk);
  }
  return { extension: judgeHead(head), sizeBytes, sha256: hash.digest('hex') };
};

const SLOW_HOST = new ImageRefusal('timeout', 'The host took too long to send the image.', {
  passing: { retryAfterSeconds: null },
});
const SLOW_IMAGE = new ImageRefusal('timeout', 'The image took too long to decode.');

export const createMediaSource = (options: MediaSourceOptions): MediaSource => {
  const { directory, timeoutSeconds, idleSeconds = 10 } = options;
  const downloadOptions = { dial: createDialler(options), idleMilliseconds: Math.min(idleSeconds, timeoutSeconds) * 1000 };
  const files = incomingFiles(directory);
  const decode = createDecoder();
  const inFlight = new Map<AbortController, Promise<unknown>>();
  let closed = false;

  const fetchImage = async ({ askedBy, url, name }: ImageRequest, ending: AbortController): Promise<FetchedImage> => {
    const { signal } = ending;
    const allowance = new Allowance(timeoutSeconds * 1000, ending);
    const { path, handle } = await files.create(name);
    try {
      allowance.start(SLOW_HOST);
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
      const received = await receive(download(url, { ...downloadOptions, askedBy }, signal), handle).finally(() =>
        handle.close(),
      );
      allowance.stop();
      const size = await decode(path, received.extension, signal, () => allowance.start(SLOW_IMAGE));
      return { path, ...received, ...size };
    } catch (error) {
      await files.remove(path);
      throw error;
    } finally {
      allowance.stop();
    }
  };

  return {
    fetch: async (request, signal) => {
      if (closed || signal.aborted) return null;
      const ending = new AbortController();
      const abort = () => ending.abort();
      signal.addEventListener('abort', abort);
      const fetching = fetchImage(request, ending);
      inFlight.set(
        ending,
        fetching.catch(() => undefined),
      );
      try {
        return ok(await fetching);
      } catch (error) {
        if (error instanceof ImageRefusal) return error.failure;
        if (ending.signal.aborted) return null;
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
        inFlight.delete(ending);
      }
    },
    release: ({ path }) => files.remove(path),
    close: async () => {
      closed = true;
      const ended = [...inFlight.values()];
      for (const ending of inFlight.keys()) ending.abort();
      await Promise.all(ended);
    },
  };
};
