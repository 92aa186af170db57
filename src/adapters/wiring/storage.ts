import { postgresql } from '../prisma/engine.ts';
import { holdAlone } from '../startup/hold-alone.ts';
import { StartFailure } from '../startup/start-failure.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { StorageAdapter } from '../storage/storage.ts';

/** The engines that DATABASE_URL may name. */
export const ENGINES: readonly StorageEngine[] = [postgresql];

const findEngine = (url: string): StorageEngine | undefined => {
  const scheme = `${url.split(':', 1)[0] ?? ''}:`.toLowerCase();
  return ENGINES.find(({ schemes }) => schemes.includes(scheme));
};

const UNKNOWN = `must be a URL that begins with ${ENGINES.map(({ beginning }) => beginning).join(', or with ')}`;

/** Why no engine takes this address. Null for an address that one takes. */
export const databaseUrlFault = (url: string): string | null => {
  const engine = findEngine(url);
  return engine ? engine.faultOf(url) : UNKNOWN;
};

/** The engine of this address. */
export const engineAt = (url: string): StorageEngine => {
  const engine = findEngine(url);
  if (engine) return engine;
  throw new StartFailure(`DATABASE_URL: ${UNKNOWN}`);
};

/** Keeps other processes from the storage of an engine that is for one. Returns a function that ends it. */
export const holdStorage = async (url: string): Promise<() => Promise<void>> => {
  const path = engineAt(url).heldBy(url);
  return path === null ? () => Promise.resolve() : holdAlone(path);
};

/** The adapter for this address. */
export const storageAt = (url: string): Promise<StorageAdapter> => engineAt(url).load();
