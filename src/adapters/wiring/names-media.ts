import type { MediaFileRepository } from '../../domain/ports/media/media-file-repository.ts';

/** Whether the database names any media file: a look at one has a last one then. */
export const namesMedia = async (files: Pick<MediaFileRepository, 'unused'>): Promise<boolean> =>
  (await files.unused('', null, 1)).last !== null;
