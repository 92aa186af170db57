import { reachEmbeddedPostgres, type ReachedDatabase } from '../../embedded/reach.ts';
import type { ParsedConfig } from '../settings/config.ts';

export interface ReachDatabaseOptions {
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
