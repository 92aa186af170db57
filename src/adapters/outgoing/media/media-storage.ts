import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { openDirectoryStorage } from './directory-storage.ts';
import type { MediaLocation } from './location.ts';

const CLIENT = '@aws-sdk/client-s3';

/** The package does not bring the client of a bucket. */
export class MissingS3Client extends StartFailure {
  override readonly name = 'MissingS3Client';
  static readonly fact = `MEDIA_STORAGE names a bucket, and the package ${CLIENT} is not installed.`;
  static readonly remedy = `Install it beside tenon: npm install ${CLIENT}`;

  constructor() {
    super(`${MissingS3Client.fact} ${MissingS3Client.remedy}`);
  }
}

const isMissingClient = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(CLIENT);

/**
 * The storage that MEDIA_STORAGE names. `region` is the bucket's. Throws a StartFailure for a
 * directory that cannot be created or written, and for a bucket without the S3 client. A bucket is first contacted when it is used.
 */
export const openMediaStorage = async (location: MediaLocation, region: string): Promise<MediaStorage> => {
  if ('directory' in location) return openDirectoryStorage(location.directory);
  // Loaded when it is needed, since it is large. The package does not bring it.
  const { createS3Storage } = await import('./s3-storage.ts').catch((error: unknown) => {
    throw isMissingClient(error) ? new MissingS3Client() : error;
  });
  return createS3Storage({ ...location, region });
};
