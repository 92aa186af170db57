import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

import { ADMIN_TOKEN_PREFIX, MIN_ADMIN_TOKEN } from '../../domain/identity/token.ts';
import { openDataDirectory } from './data-directory.ts';
import { StartFailure } from './start-failure.ts';
import { newSecretKey, parseSecretKeys, type SecretKey } from './secret-keys.ts';
import { syncFolder } from './sync-folder.ts';
import { codeOf, messageOf } from '../../domain/values/error.ts';

const stored = z.object({
  adminToken: z.string().min(MIN_ADMIN_TOKEN),
  secretKeys: z.string().transform(parseSecretKeys).optional(),
});

/**
 * Linked into its place as a whole file: a kill in the middle leaves no partial key, and of two
 * processes that start at once only one writes. It is on the disk before anything is sealed with its key.
 */
const make = async (dataDir: string, path: string, secretKeys: string | undefined): Promise<void> => {
  const made = { adminToken: `${ADMIN_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`, secretKeys };
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await openDataDirectory(dataDir);
  try {
    await writeFile(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      throw new StartFailure(`The file ${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
};

export const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json');

const read = async (path: string): Promise<z.output<typeof stored> | null> => {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartFailure(`The file ${path} cannot be read: ${messageOf(error)}. Set DATA_DIR to a folder that you own.`, {
      cause: error,
    });
  }
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // The cause is left out: its text may quote the file.
    throw new StartFailure(
      `The file ${path} is damaged. Restore it. If you cannot, remove it, and set SECRET_KEYS to a new key: the start then says how to continue.`,
    );
  }
};

const noKeys = (path: string): StartFailure =>
  new StartFailure(
    `SECRET_KEYS is not set. Set it as on the server, or copy secrets.json from the server to ${path}. A new key would open nothing in this database. If the keys are lost, set SECRET_KEYS to a new one: the start then says how to continue.`,
  );

interface MayLack {
  readonly DATA_DIR: string;
  readonly ADMIN_TOKEN?: string | undefined;
  readonly SECRET_KEYS?: SecretKey[] | undefined;
}

type Whole<C> = C & { readonly ADMIN_TOKEN: string; readonly SECRET_KEYS: SecretKey[] };

/** For commands that work with a database that exists. */
export const NEVER_EMPTY = (): Promise<boolean> => Promise.resolve(false);

/**
 * The config with the admin token and the encryption key that it lacks. The first start makes them
 * and keeps them in the data directory, readable by its owner only. A key is made for an empty database
 * alone: throws a StartFailure where rows need keys that are not there.
 */
export const withLocalSecrets = async <C extends MayLack>(
  config: C,
  isDatabaseEmpty: () => Promise<boolean>,
): Promise<Whole<C>> => {
  const { ADMIN_TOKEN, SECRET_KEYS, DATA_DIR } = config;
  if (ADMIN_TOKEN !== undefined && SECRET_KEYS !== undefined) return { ...config, ADMIN_TOKEN, SECRET_KEYS };
  const path = secretsFile(DATA_DIR);
  let kept = await read(path);
  if (kept === null) {
    if (SECRET_KEYS === undefined && !(await isDatabaseEmpty())) throw noKeys(path);
    await make(DATA_DIR, path, SECRET_KEYS === undefined ? newSecretKey() : undefined);
    kept = await read(path);
  }
  const keys = SECRET_KEYS ?? kept?.secretKeys;
  if (kept === null || keys === undefined) throw noKeys(path);
  return { ...config, ADMIN_TOKEN: ADMIN_TOKEN ?? kept.adminToken, SECRET_KEYS: keys };
};
