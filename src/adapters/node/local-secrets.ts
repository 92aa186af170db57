import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { StartFailure } from '../start-failure.ts';

const stored = z.object({ adminToken: z.string(), secretKeys: z.string() });

export type LocalSecrets = z.infer<typeof stored>;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The admin token and the encryption key outside production: made at the first start, kept in the data directory for its owner's eyes. */
export const localSecrets = async (dataDir: string): Promise<LocalSecrets> => {
  const path = join(dataDir, 'secrets.json');
  try {
    return stored.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (!isMissing(error)) throw new StartFailure(`${path} can't be read as what a first start wrote there`, { cause: error });
  }
  const made = { adminToken: `tnn_admin_${randomBytes(32).toString('base64url')}`, secretKeys: `k1:${randomBytes(32).toString('base64')}` };
  try {
    await mkdir(dataDir, { recursive: true });
    // Renamed into its place, so that a kill in the middle leaves no half a key.
    await writeFile(`${path}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new StartFailure(`${dataDir} can't be written: set DATA_DIR to a directory of yours`, { cause: error });
  }
  return made;
};
