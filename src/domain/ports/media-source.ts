import type { ImageExtension } from '../media/media-file.ts';

/** Why an address gave no image; the item's errorCode (decisions.md, Media import). */
export type ImageFault = 'address_not_allowed' | 'fetch_failed' | 'too_large' | 'unsupported_type' | 'decode_failed' | 'timeout';

export interface ImageRequest {
  readonly url: string;
  /** Names the local file, so that a fetch that begins anew leaves nothing of the one before: letters, digits and hyphens. */
  readonly name: string;
}

/** An image that was fetched whole and decoded whole. */
export interface FetchedImage {
  /** The local file that holds its bytes as they came. */
  readonly path: string;
  /** Tells its type, which is that of its bytes: IMAGE_TYPES of media-file.ts. */
  readonly extension: ImageExtension;
  readonly sizeBytes: number;
  /** Of the bytes, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** In pixels, as it is shown: turned where the file says so, and one frame of an animation. */
  readonly width: number;
  readonly height: number;
}

/** `message` is public: it tells what is wrong with the image or its address. */
export type ImageOutcome =
  | { readonly ok: true; readonly image: FetchedImage }
  | { readonly ok: false; readonly fault: ImageFault; readonly message: string };

export interface MediaSource {
  /**
   * Fetches an image into a local file and judges it. Every address of a URL's host is judged as a delivery's is, and so is each redirect, of which it follows at most 3. The bytes
   * received are counted, 20 MiB at most; the type is that of the bytes, whatever a name or a header says. What goes wrong at the other end is an outcome; null when it was aborted
   * before it ended. Without an image no file is left. Rejects when there is no room for the file.
   */
  fetch(request: ImageRequest, signal: AbortSignal): Promise<ImageOutcome | null>;
  /** Removes the image's file. Again is no error. */
  release(image: FetchedImage): Promise<void>;
  /** Aborts what is being fetched. */
  close(): Promise<void>;
}
