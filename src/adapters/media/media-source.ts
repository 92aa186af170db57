import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { IMAGE_HEAD_BYTES, imageExtensionOf, isAvifSequence, MAX_IMAGE_BYTES } from '../../domain/media/image.ts';
import type { FetchedImage, ImageRequest, MediaSource } from '../../domain/ports/media-source.ts';
import { createDialler } from '../outbound/dialler.ts';
import type { DiallerOptions } from '../outbound/dialler.ts';
import { createDecoder } from './decoder.ts';
import { download, TOO_LARGE } from './download.ts';
import { ImageRefusal } from './image-refusal.ts';
import { incomingFiles } from './incoming-files.ts';

export interface MediaSourceOptions extends DiallerOptions {
  /** The folder of the files while they are fetched and stored. */
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
    if (sizeBytes > MAX_IMAGE_BYTES) throw new ImageRefusal('too_large', TOO_LARGE);
    if (head.length < IMAGE_HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, IMAGE_HEAD_BYTES - head.length)]);
    hash.update(chunk);
    await file.appendFile(chunk);
  }
  const extension = imageExtensionOf(head);
  if (!extension) throw new ImageRefusal('unsupported_type', isAvifSequence(head) ? SEQUENCE : UNSUPPORTED);
  return { extension, sizeBytes, sha256: hash.digest('hex') };
};

/** The time of one fetch. It can be paused and continued. */
class Allowance {
  readonly #ending: AbortController;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, ending: AbortController) {
    this.#left = milliseconds;
    this.#ending = ending;
  }

  start(): void {
    this.#since = performance.now();
    const over = () => this.#ending.abort(new ImageRefusal('timeout', 'The image took too long.'));
    this.#timer = setTimeout(over, Math.max(1, this.#left));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}

/**
 * Images over HTTP, through the same address checks as deliveries, decoded by sharp in a separate
 * process.
 */
export const createMediaSource = (options: MediaSourceOptions): MediaSource => {
  const { directory, timeoutSeconds, idleSeconds = 10 } = options;
  const downloadOptions = { dial: createDialler(options), idleMilliseconds: Math.min(idleSeconds, timeoutSeconds) * 1000 };
  const files = incomingFiles(directory);
  const decode = createDecoder();
  const inFlight = new Map<AbortController, Promise<unknown>>();
  let closed = false;

  const fetchImage = async ({ url, name }: ImageRequest, ending: AbortController): Promise<FetchedImage> => {
    const { signal } = ending;
    const allowance = new Allowance(timeoutSeconds * 1000, ending);
    const { path, handle } = await files.create(name);
    try {
      allowance.start();
      const received = await receive(download(url, downloadOptions, signal), handle).finally(() => handle.close());
      allowance.stop();
      const size = await decode(path, received.extension, signal, () => allowance.start());
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
        return { ok: true, image: await fetching };
      } catch (error) {
        if (error instanceof ImageRefusal) return { ok: false, fault: error.fault, message: error.message };
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
