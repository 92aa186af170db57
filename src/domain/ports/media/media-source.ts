import type { ImageExtension } from '../../media/media-file.ts';
import type { Ok, Refusal } from '../../result.ts';

/** Why a URL gave no image: the item's errorCode (docs/specification/media.md, "Imports"). */
export type ImageFault = 'address_not_allowed' | 'fetch_failed' | 'too_large' | 'unsupported_type' | 'decode_failed' | 'timeout';

export interface ImageRequest {
  /** Owner of the look-ups that the host's name is counted with. */
  readonly askedBy: string;
  readonly url: string;
  /** Names the local file: letters, digits and hyphens. */
  readonly name: string;
}

/** An image that was fetched and decoded completely. */
export interface FetchedImage {
  /** The local file with its bytes as received. */
  readonly path: string;
  /** Follows from the type of the bytes: IMAGE_TYPES in media-file.ts. */
  readonly extension: ImageExtension;
  readonly sizeBytes: number;
  /** Hash of the bytes, as 64 lower-case hex digits. */
  readonly sha256: string;
  /** In pixels, as shown: rotated when the file says so, and of one frame of an animation. */
  readonly width: number;
  readonly height: number;
}

/** The message says what is wrong with the image or its address. */
export interface ImageFailure extends Refusal<ImageFault> {
  /** Set for a fault that may pass, so that the host may be asked again. Has the host's Retry-After, in seconds. */
  readonly passing?: { readonly retryAfterSeconds: number | null };
}

export type ImageOutcome = Ok<FetchedImage> | ImageFailure;

export interface MediaSource {
  /**
   * Fetches an image into a local file. Returns the size, hash and dimensions of the image. Refuses
   * a URL when one of its host's addresses is not allowed, and each redirect to such a URL. Follows
   * at most 3 redirects. Refuses an image of more than 20 MiB. Determines the type from the bytes,
   * not from the name or a header. Returns what went wrong on the other side as an outcome. Says
   * which faults may pass, and the Retry-After of such a response. Decodes a response that is
   * compressed, and judges its size after that. Returns null when it was aborted before it ended. Leaves no file when it returns no image. Replaces the
   * file of an earlier fetch with the same name. Rejects when the local file cannot be written.
   */
  fetch(request: ImageRequest, signal: AbortSignal): Promise<ImageOutcome | null>;
  /** Removes the image's file. Does nothing when the file does not exist. */
  release(image: FetchedImage): Promise<void>;
  /** Aborts all fetches. */
  close(): Promise<void>;
}
