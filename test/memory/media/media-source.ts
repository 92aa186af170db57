import { createHash } from 'node:crypto';

import type { Cidr } from '../../../src/domain/webhooks/address.ts';
import { imageExtensionOf, isTooManyPixels, MAX_IMAGE_BYTES, type ImageSize } from '../../../src/domain/media/image.ts';
import type {
  FetchedImage,
  ImageFailure,
  ImageFault,
  ImageOutcome,
  ImageRequest,
  MediaSource,
} from '../../../src/domain/ports/media/media-source.ts';
import { checkAddresses } from '../../../src/domain/webhooks/subscription.ts';
import { parseTarget } from '../../../src/domain/webhooks/webhook-url.ts';
import { ok, refuse } from '../../../src/domain/result.ts';
import { createAddressResolver } from '../address-resolver.ts';

/** A name that is not among those given has this address. */
const PUBLIC = '1.1.1.1';
const MAX_REDIRECTS = 3;

export type MemoryAnswer =
  | ({ readonly bytes: Uint8Array } & Partial<ImageSize>)
  | { readonly redirect: string }
  | ({ readonly fault: ImageFault; readonly message?: string } & Pick<ImageFailure, 'passing'>);

export interface MemoryMediaSourceOptions {
  /**
   * By default a GIF of one pixel that differs for each URL. A promise keeps the fetch in flight
   * until it settles.
   */
  readonly answer?: (url: string) => MemoryAnswer | Promise<MemoryAnswer>;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly allowed?: readonly Cidr[];
}

export interface MemoryMediaSource extends MediaSource {
  /** The requested URLs in order, redirects included. */
  readonly asked: readonly string[];
  /** The files that were not released, by their path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The bytes of such a file. Rejects when it does not exist. */
  read(path: string): Promise<Uint8Array>;
  breakDisk(): void;
}

const failed = (fault: ImageFault, message: string = fault): ImageOutcome => refuse(fault, message);

/**
 * A source whose files come from a function. It checks addresses, sizes and types as the real one
 * does, and sends nothing.
 */
export const createMediaSource = ({
  answer = (url) => ({ bytes: Buffer.from(`GIF89a ${url}`) }),
  names = {},
  allowed = [],
}: MemoryMediaSourceOptions = {}): MemoryMediaSource => {
  const asked: string[] = [];
  const files = new Map<string, Uint8Array>();
  const closing = new AbortController();
  let isBroken = false;

  const isAllowed = async ({ url, askedBy }: ImageRequest): Promise<boolean> => {
    const target = parseTarget(url);
    if (!target.ok) return false;
    const { host, secure } = target.value;
    const found = await createAddressResolver({ [host]: [PUBLIC], ...names }).resolve(host, askedBy);
    return found !== 'busy' && checkAddresses(found, secure, allowed) === null;
  };
  const keep = (name: string, bytes: Uint8Array, { width = 1, height = 1, frames = 1 }: Partial<ImageSize>): ImageOutcome => {
    if (bytes.length > MAX_IMAGE_BYTES) return failed('too_large');
    const extension = imageExtensionOf(bytes);
    if (!extension) return failed('unsupported_type');
    if (isTooManyPixels({ width, height, frames })) return failed('too_large');
    if (isBroken) throw new Error('the local file cannot be written');
    const path = `memory/${name}`;
    files.set(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return ok({ path, extension, sizeBytes: bytes.length, sha256, width, height });
  };
  const visit = async (request: ImageRequest, stop: AbortSignal, redirects = 0): Promise<ImageOutcome> => {
    const { url, name } = request;
    if (!(await isAllowed(request))) return failed('address_not_allowed');
    asked.push(url);
    const answered = await answer(url);
    // The caller has its answer already, and must not get a file.
    if (stop.aborted) return failed('fetch_failed');
    if ('fault' in answered) {
      const { fault, message = fault, passing } = answered;
      return { ok: false, code: fault, message, ...(passing && { passing }) };
    }
    if ('bytes' in answered) return keep(name, answered.bytes, answered);
    if (redirects === MAX_REDIRECTS) return failed('fetch_failed');
    return await visit({ ...request, url: new URL(answered.redirect, url).href }, stop, redirects + 1);
  };

  return {
    asked,
    files,
    read: async (path) => {
      const bytes = files.get(path);
      if (!bytes) throw new Error(`there is no file at ${path}`);
      return bytes;
    },
    breakDisk: () => {
      isBroken = true;
    },
    fetch: async (request, signal) => {
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return null;
      const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null), { once: true }));
      return await Promise.race([visit(request, stop), stopped]);
    },
    release: async ({ path }: FetchedImage) => void files.delete(path),
    close: async () => closing.abort(),
  };
};
