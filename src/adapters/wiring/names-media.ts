import { DatabaseUnavailable } from '../../domain/ports/transaction.ts';
import type { MediaFileRepository } from '../../domain/ports/media/media-file-repository.ts';

/**
 * True when the database names any media file: a look at one has a last file then. Also true where
 * a part cannot be read, for example on a Citus cluster while a worker is away.
 */
export const namesMedia = async (files: Pick<MediaFileRepository, 'unused'>): Promise<boolean> => {
  try {
    return (await files.unused('', null, 1)).last !== null;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return true;
    throw error;
  }
};
