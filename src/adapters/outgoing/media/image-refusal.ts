import type { ImageFault } from '../../../domain/ports/media/media-source.ts';

/** Ends a fetch. It says what is wrong with the image or its address, as a public message. */
export class ImageRefusal extends Error {
  readonly fault: ImageFault;
  constructor(fault: ImageFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}
