import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { openDirectoryStorage } from './directory-storage.ts';
import type { MediaLocation } from './location.ts';

/**
 * The storage that MEDIA_STORAGE names. `region` is the bucket's. Throws a StartFailure for a
 * directory that cannot be created or written. A bucket is first contacted when it is used.
 */
export const openMediaStorage = async (location: MediaLocation, region: string): Promise<MediaStorage> => {
  if ('directory' in location) return openDirectoryStorage(location.directory);
  // Loaded when it is needed, since it is large.
  const { createS3Storage } = await import('./s3-storage.ts');
  return createS3Storage({ ...location, region });
};
