import type { FileId } from '../../domain/ports/media-file-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';

const BATCH = 5_000;

export interface FreeingOptions {
  /** What the addresses of files begin with. */
  readonly mediaUrl: string;
  /** Nothing more is begun. */
  readonly stopping: AbortSignal;
  /** Files that one round looks at; 5000 unless told. */
  readonly batch?: number;
}

/**
 * Removes the files that no media refers to any more (a product.s last reference is one). A round looks at the next so many of all files, so that it costs the same however many there
 * are; the next goes on behind it, also behind a file that could not be removed. Resolves to how many it freed.
 */
export const freeMediaFiles = (
  { mediaFiles, mediaStorage }: Pick<Ports, 'mediaFiles' | 'mediaStorage'>,
  { mediaUrl, stopping, batch = BATCH }: FreeingOptions,
): (() => Promise<number>) => {
  let after: FileId | null = null;
  return async () => {
    let freed = 0;
    const { files, last } = await mediaFiles.unused(mediaUrl, after, batch);
    for (const file of files) {
      if (stopping.aborted) return freed;
      after = file;
      if (await mediaFiles.free(mediaUrl, file, mediaStorage.remove)) freed += 1;
    }
    after = last;
    return freed;
  };
};
