import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StartFailure } from '../startup/start-failure.ts';
import type { Account } from './account.ts';
import { codeOf, messageOf } from '../../domain/values/error.ts';

/**
 * The path of a Unix socket has at most 104 bytes on macOS. The name of the socket needs the rest.
 */
const LONGEST = 85;

/**
 * A folder for the socket of the server that only the user of the server (and root) may enter. The
 * server accepts every connection through it, so a folder that somebody else created before is
 * refused.
 */
export const openSocketDirectory = async (cluster: string, account: Account): Promise<string> => {
  const name = `tenon-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const path =
    [join(tmpdir(), name), join('/tmp', name)].find((candidate) => Buffer.byteLength(candidate) <= LONGEST) ?? join('/tmp', name);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      const why = messageOf(error);
      throw new StartFailure(`The folder ${path} for the socket of the database cannot be created: ${why}.`, { cause: error });
    }
  }
  const found = await lstat(path);
  const ours = [account.uid, process.geteuid?.() ?? 0].includes(found.uid);
  if (!found.isDirectory() || !ours)
    throw new StartFailure(`The folder ${path} for the socket of the database belongs to another user. Remove it.`);
  await chmod(path, 0o700);
  await account.own(path);
  return path;
};
