import type { FileId } from '../../domain/ports/media/media-file-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';

const BATCH = 5_000;

export interface FreeingOptions {
  /** Prefix of the addresses of files. */
  readonly mediaUrl: string;
  /** Once aborted, no file is removed any more. */
  readonly stopping: AbortSignal;
  /** Files that one round looks at. 5,000 by default. */
  readonly batch?: number;
}

/**
 * Removes the files that no media refers to any more. A round
 * looks at a limited number of files, so that it costs the same however many files exist, and the
 * next round continues after it, also after a file that could not be removed. Resolves to the
 * number of removed files.
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
