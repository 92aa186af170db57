import { reachEmbeddedPostgres, type ReachedDatabase } from '../../embedded/reach.ts';
import type { ParsedConfig } from '../settings/config.ts';
import { StorageUnavailable } from '../../../domain/ports/media/media-storage.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { codeOf } from '../../../domain/values/error.ts';

interface ReachDatabaseOptions {
  /** True where the embedded database is created in a DATA_DIR without one. */
  readonly mayCreate?: boolean;
  readonly onProgress?: (message: string) => void;
}

/**
 * The database that the settings name: DATABASE_URL, or else the embedded one, which is started
 * until `stop` if no server runs it. Throws a StartFailure when there is none.
 */
export const reachDatabase = (
  { DATABASE_URL, DATA_DIR }: Pick<ParsedConfig, 'DATABASE_URL' | 'DATA_DIR'>,
  { mayCreate = false, onProgress }: ReachDatabaseOptions = {},
): Promise<ReachedDatabase> =>
  DATABASE_URL === undefined
    ? reachEmbeddedPostgres({ dataDir: DATA_DIR, mayCreate, ...(onProgress && { onProgress }) })
    : Promise.resolve({ url: DATABASE_URL, stop: () => Promise.resolve() });

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
