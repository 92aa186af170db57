import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat, writeFile, type FileHandle, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parseMediaKey } from '../../../domain/media/media-file.ts';
import type { ByteRange, MediaStorage, StoredFile } from '../../../domain/ports/media/media-storage.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { openDataDirectory } from '../../startup/data-directory.ts';
import { syncFolder } from '../../startup/sync-folder.ts';
import { unlessUnavailable } from './unavailable.ts';

const CHUNK_BYTES = 262_144;

/**
 * Without mkdir's `recursive`: when the root is gone, for example not mounted any more, nothing
 * must be created in its place.
 */
const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

/** Copies `from`. The bytes are on the disk when it resolves. */
const copy = async (from: string, to: string): Promise<void> => {
  const target = await open(to, 'wx', 0o644);
  try {
    await writeFile(target, createReadStream(from, { highWaterMark: CHUNK_BYTES }));
    await target.sync();
  } finally {
    await target.close();
  }
};

/** Null when there is no such file. */
const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** Null when there is no such file. */
const openFile = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** A file that was removed while it was stored is stored again at most this often. */
const TRIES = 3;
const PURPOSE = { name: 'media directory', setting: 'MEDIA_STORAGE' };

/**
 * Files are written here before they are renamed into their place. It is on the same disk, since a
 * rename must be atomic. It exists as long as the root does, and so distinguishes a missing root
 * from a missing file.
 */
const draftsIn = (folder: string) => {
  const prefix = (key: string): string => `${key.replace('/', '.')}.`;
  return {
    next: (key: string): string => join(folder, `${prefix(key)}${randomUUID()}`),
    /** A file that is missing is believed to be only where the root is there. */
    nullIfThere: async (): Promise<null> => {
      await stat(folder);
      return null;
    },
    remove: async (key: string): Promise<void> => {
      const names = (await readdir(folder)).filter((name) => name.startsWith(prefix(key)));
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
    },
  };
};

/**
 * A folder of this machine, or one that all nodes share: `<root>/<key>`. A file is written as a
 * separate draft and renamed into its place. Storing a file removes its other drafts, which a kill
 * has left or which are not needed any more. Throws a StartFailure when the folder cannot be
 * created or written.
 */
export const openDirectoryStorage = async (path: string): Promise<MediaStorage> => {
  const root = await openDataDirectory(path, PURPOSE);
  const drafts = draftsIn(await openDataDirectory(join(root, 'drafts'), PURPOSE));
  const reporting = <T>(work: () => Promise<T>): Promise<T> => unlessUnavailable(`the media directory ${root}`, work);
  const placeOf = (key: string): string => {
    if (parseMediaKey(key) === null) throw new Error(`${key} is not the key of a media file`);
    return join(root, key);
  };

  const put = async (key: string, from: string, place: string, triesLeft = TRIES): Promise<void> => {
    const draft = drafts.next(key);
    try {
      await copy(from, draft);
      await makeFolder(dirname(place));
      await rename(draft, place);
    } catch (error) {
      await rm(draft, { force: true });
      if (codeOf(error) !== 'ENOENT') throw error;
      // Another process that stored the same file was faster and removed this draft, or the file
      // was removed.
      if ((await sizeOf(place)) === null) {
        if (triesLeft === 0) throw error;
        return put(key, from, place, triesLeft - 1);
      }
    }
    await syncFolder(dirname(place));
    await drafts.remove(key);
  };
  const read = async (place: string, range?: ByteRange): Promise<StoredFile | null> => {
    const file = await openFile(place);
    if (file === null) return drafts.nullIfThere();
    try {
      const { size } = await file.stat();
      return { sizeBytes: size, bytes: file.createReadStream({ ...range, highWaterMark: CHUNK_BYTES }) };
    } catch (error) {
      await file.close();
      throw error;
    }
  };

  return {
    put: async (key, from) => {
      const place = placeOf(key);
      await reporting(() => put(key, from, place));
    },
    size: async (key) => {
      const place = placeOf(key);
      return reporting(async () => (await sizeOf(place)) ?? (await drafts.nullIfThere()));
    },
    read: async (key, range) => {
      const place = placeOf(key);
      return reporting(() => read(place, range));
    },
    remove: async (key) => {
      const place = placeOf(key);
      await reporting(async () => {
        await rm(place, { force: true });
        await drafts.remove(key);
      });
    },
    close: () => Promise.resolve(),
  };
};
