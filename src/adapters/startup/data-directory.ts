import { constants } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { StartFailure } from './start-failure.ts';
import { codeOf, messageOf } from '../../domain/values/error.ts';

/**
 * Not by mkdir's `recursive`: where the system takes no new folder and says ENOENT (below /proc),
 * Node tries again for ever.
 */
const make = async (path: string, mayClimb = true): Promise<void> => {
  try {
    await mkdir(path);
  } catch (error) {
    // A folder above `path` is there always: the root is, and says so.
    if (mayClimb && codeOf(error) === 'ENOENT') {
      await make(dirname(path));
      await make(path, false);
    } else if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
};

interface Purpose {
  readonly name: string;
  readonly setting: string;
}

const DATA: Purpose = { name: 'data directory', setting: 'DATA_DIR' };

/**
 * Creates the data directory, or another one, if it does not exist; returns its real path. Throws a
 * StartFailure if it is not a directory or cannot be created or written.
 */
export const openDataDirectory = async (path: string, { name, setting }: Purpose = DATA): Promise<string> => {
  try {
    await make(resolve(path));
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    const why = messageOf(error);
    throw new StartFailure(`The ${name} ${path} cannot be written: ${why}. Set ${setting} to a folder that you own.`, {
      cause: error,
    });
  }
};
