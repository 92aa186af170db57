import type { ImageFailure, ImageFault } from '../../../domain/ports/media/media-source.ts';

interface RefusalOptions {
  readonly cause?: unknown;
  readonly passing?: NonNullable<ImageFailure['passing']> | undefined;
}

/** Ends a fetch. It says what is wrong with the image or its address, as a public message. */
export class ImageRefusal extends Error {
  readonly failure: ImageFailure;
  constructor(code: ImageFault, message: string, { cause, passing }: RefusalOptions = {}) {
    super(message, { cause });
    this.failure = { ok: false, code, message, ...(passing && { passing }) };
  }
}
