import { stat } from 'node:fs/promises';

import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { openDirectoryStorage } from './directory-storage.ts';
import type { MediaLocation } from './location.ts';

const CLIENT = '@aws-sdk/client-s3';

/** A storage that cannot be opened, with what to do about it. */
export class MediaStorageFailure extends StartFailure {
  override readonly name = 'MediaStorageFailure';

  constructor(
    readonly fact: string,
    readonly remedy: string,
  ) {
    super(`${fact} ${remedy}`);
  }
}

/** The package does not bring the client of a bucket. */
const missingClient = (): MediaStorageFailure =>
  new MediaStorageFailure(
    `MEDIA_STORAGE names a bucket, and the package ${CLIENT} is not installed.`,
    `Install it beside tenon: npm install ${CLIENT}`,
  );

const isMissingClient = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(CLIENT);

const missingDirectory = (directory: string): MediaStorageFailure =>
  new MediaStorageFailure(
    `The media directory ${directory} does not exist. It is created only while the database names no media files.`,
    'Mount it, or correct MEDIA_STORAGE. If its files are lost, create it yourself: the server continues without them.',
  );

const isMissing = (directory: string): Promise<boolean> =>
  stat(directory).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );

export interface OpenMediaOptions {
  /**
   * True to create a missing directory. A directory that is not mounted must not be replaced by an
   * empty one.
   */
  readonly mayCreate?: boolean;
}

/**
 * The storage that MEDIA_STORAGE names. `region` is the bucket's. Throws a StartFailure for a
 * directory that does not exist, cannot be created or cannot be written, and for a bucket without the S3 client. A bucket is
 * first contacted when it is used.
 */
export const openMediaStorage = async (
  location: MediaLocation,
  region: string,
  { mayCreate = true }: OpenMediaOptions = {},
): Promise<MediaStorage> => {
  if ('directory' in location) {
    if (!mayCreate && (await isMissing(location.directory))) throw missingDirectory(location.directory);
    return openDirectoryStorage(location.directory);
  }
  // Loaded when it is needed, since it is large. The package does not bring it.
  const { createS3Storage } = await import('./s3-storage.ts').catch((error: unknown) => {
    throw isMissingClient(error) ? missingClient() : error;
  });
  return createS3Storage({ ...location, region });
};
