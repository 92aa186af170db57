import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';

import type { Config } from '../settings/config.ts';
import { failed, fine, skipped, warning, type UnnamedFinding } from '../../storage/finding.ts';
import { codeOf } from '../../../domain/values/error.ts';

/** Equals `engines` of package.json. */
const LEAST_NODE = [20, 19] as const;

/** Judges the version of Node.js, such as v20.19.0. */
export const checkNode = (version: string): UnnamedFinding => {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isNew
    ? fine(`Node.js ${version}`)
    : failed(`Node.js ${version} is too old`, `Install Node.js ${LEAST_NODE.join('.')} or later.`);
};

const GIGABYTE = 1024 ** 3;
const WARN_BELOW = 2 * GIGABYTE;
const FAIL_BELOW = GIGABYTE / 5;

const freeBytes = async (path: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return freeBytes(dirname(path));
  }
};

export const checkDisk = async (
  { DATABASE_URL, DATA_DIR, MEDIA_STORAGE }: Config,
  free: (path: string) => Promise<number> = freeBytes,
): Promise<UnnamedFinding> => {
  const folders = [
    ...(DATABASE_URL === undefined ? [DATA_DIR] : []),
    ...('directory' in MEDIA_STORAGE ? [MEDIA_STORAGE.directory] : []),
  ];
  if (folders.length === 0) return skipped('neither the database nor media files are on this machine');
  const spaces = await Promise.all(folders.map(async (path) => ({ path, left: await free(resolve(path)) })));
  const least = spaces.reduce((one, other) => (other.left < one.left ? other : one));
  const message = `${(least.left / GIGABYTE).toFixed(1)} GB free in ${least.path}`;
  if (least.left >= WARN_BELOW) return fine(message);
  const remedy = 'Free space on the disk, or move DATA_DIR or MEDIA_STORAGE to a larger one. A full disk stops every write.';
  return least.left < FAIL_BELOW ? failed(message, remedy) : warning(message, remedy);
};

const EVERY_ADDRESS = /^(0\.0\.0\.0|::)\/0$/;

export const checkProxies = ({ NODE_ENV, TRUSTED_PROXIES, HOST }: Config): UnnamedFinding => {
  if (TRUSTED_PROXIES.some((range) => EVERY_ADDRESS.test(range))) {
    return failed(
      'TRUSTED_PROXIES trusts every address',
      'List your own proxies only: otherwise each client chooses the address it is limited by.',
    );
  }
  if (TRUSTED_PROXIES.length > 0) return fine(`X-Forwarded headers of ${TRUSTED_PROXIES.join(', ')} count`);
  const isPublic = NODE_ENV === 'production' && !(isIP(HOST) === 4 && HOST.startsWith('127.'));
  return isPublic
    ? warning(
        'TRUSTED_PROXIES is empty',
        'Behind a proxy, set it to the address of the proxy. Otherwise all clients share one limit for failed tokens.',
      )
    : fine('no proxy in front');
};
