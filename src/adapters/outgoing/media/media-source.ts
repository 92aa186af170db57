import { randomUUID, createHash } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import {
  IMAGE_HEAD_BYTES,
  imageExtensionOf,
  isAvifSequence,
  isTooManyPixels,
  MAX_IMAGE_BYTES,
  TOO_MANY_PIXELS,
  otherFormatOf,
  pngSizeOf,
} from '../../../domain/media/image.ts';
import type { ImageExtension } from '../../../domain/media/media-file.ts';
import type { FetchedImage, ImageRequest, MediaSource } from '../../../domain/ports/media/media-source.ts';
import { ok } from '../../../domain/result.ts';
import { openDataDirectory } from '../../startup/data-directory.ts';
import { createDialler, type DiallerOptions } from '../guard/dialler.ts';
import { IMAGE_TOO_LARGE } from './content-encoding.ts';
import { createDecoder } from './decoder.ts';
import { download } from './download.ts';
import { ImageRefusal } from './image-refusal.ts';

/** The time that a fetch may take, in several stretches. Aborts it with the refusal of the stretch. */
class Allowance {
  readonly #ending: AbortController;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, ending: AbortController) {
    this.#left = milliseconds;
    this.#ending = ending;
  }

  start(refusal: ImageRefusal): void {
    this.#since = performance.now();
    const over = () => this.#ending.abort(refusal);
    this.#timer = setTimeout(over, Math.max(1, this.#left));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}

/** No fetch takes this long with all that follows it: its process was killed. */
const STALE_MS = 3_600_000;

interface IncomingFiles {
  /**
   * A new file. Removes a file of the same name that an earlier process left, and all stale files.
   */
  create(name: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Removing it again is not an error. */
  remove(path: string): Promise<void>;
}

const isStale = async (path: string, now: number): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  return found !== null && now - found.mtimeMs > STALE_MS;
};

const incomingFiles = (directory: string): IncomingFiles => {
  const remove = (path: string) => rm(path, { force: true });
  return {
    create: async (name) => {
      const folder = await openDataDirectory(directory);
      const earlier = await readdir(folder);
      // Never the same path twice: a process that was paused and continues must not find another's
      // file under its path.
      const path = join(folder, `${name}.${randomUUID()}`);
      const handle = await open(path, 'wx');
      try {
        // By the clock of the files' times: a process whose clock is an hour ahead would remove
        // files that others fetch.
        const { mtimeMs: now } = await handle.stat();
        for (const entry of earlier) {
          const other = join(folder, entry);
          if (entry.startsWith(`${name}.`) || (await isStale(other, now))) await remove(other);
        }
        return { path, handle };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    remove,
  };
};

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
