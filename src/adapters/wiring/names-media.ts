import { DatabaseUnavailable } from '../../domain/ports/transaction.ts';
import type { MediaFileRepository } from '../../domain/ports/media/media-file-repository.ts';

/**
 * True when the database names any media file, which proves that the folder must have files. Also
 * true where a part cannot be read, because a server that has some of the stores is away.
 */
export const namesMedia = async (files: Pick<MediaFileRepository, 'unused'>): Promise<boolean> => {
  try {
    return (await files.unused('', null, 1)).last !== null;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return true;
    throw error;
  }
};
