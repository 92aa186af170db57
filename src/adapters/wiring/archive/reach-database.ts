import { reachEmbeddedPostgres, type ReachedDatabase } from '../../embedded/reach.ts';
import type { ParsedConfig } from '../settings/config.ts';
import { StorageUnavailable } from '../../../domain/ports/media/media-storage.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { holdStorage } from '../storage.ts';
import { codeOf } from '../../../domain/values/error.ts';

interface ReachDatabaseOptions {
  /** True where the embedded database is created in a DATA_DIR without one. */
  readonly mayCreate?: boolean;
  /** True where it changes nothing, so that a node may be at work. */
  readonly isBesideNodes?: boolean;
  readonly onProgress?: (message: string) => void;
}

/**
 * The database that the settings name: DATABASE_URL, or else the embedded one, which is started
 * until `stop` if no server runs it. Throws a StartFailure when there is none, or when a node works on one that is for one process.
 */
export const reachDatabase = async (
  { DATABASE_URL, DATA_DIR }: Pick<ParsedConfig, 'DATABASE_URL' | 'DATA_DIR'>,
  { mayCreate = false, isBesideNodes = false, onProgress }: ReachDatabaseOptions = {},
): Promise<ReachedDatabase> => {
  if (DATABASE_URL === undefined)
    return reachEmbeddedPostgres({ dataDir: DATA_DIR, mayCreate, ...(onProgress && { onProgress }) });
  const release = isBesideNodes ? () => Promise.resolve() : await holdStorage(DATABASE_URL);
  return { url: DATABASE_URL, stop: release };
};

const LOCK_TIMEOUT = '55P03';

/** Node.js reports a wrong call as ERR_..., which is a bug here. */
const isOfSystem = (error: Error): boolean => 'code' in error && !String(error.code).startsWith('ERR_');

/** An error of the database, of the disk or of the media storage, which the operator can fix. */
const isOutside = (error: unknown): error is Error =>
  error instanceof StorageUnavailable ||
  (error instanceof Error && (isOfSystem(error) || error.message.startsWith('Connection terminated')));

const failureOf = (error: unknown): unknown => {
  if (!isOutside(error)) return error;
  const message =
    codeOf(error) === LOCK_TIMEOUT
      ? 'The database is in use. Stop the servers that use it, and repeat this.'
      : `This failed: ${error.message}.`;
  return new StartFailure(message, { cause: error });
};

/** Runs the work. Throws a StartFailure of one line for what the operator can fix. */
export const asStartFailure = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
};
