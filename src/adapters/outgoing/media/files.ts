import { createReadStream } from 'node:fs';
import { mkdir, open, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../../domain/values/error.ts';
import { syncFolder } from '../../startup/sync-folder.ts';

export const CHUNK_BYTES = 262_144;

/**
 * Without mkdir's `recursive`: when the root is gone, for example not mounted any more, nothing
 * must be created in its place.
 */
export const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

/** Copies `from`. The bytes are on the disk when it resolves. */
export const copy = async (from: string, to: string): Promise<void> => {
  const target = await open(to, 'wx', 0o644);
  try {
    await writeFile(target, createReadStream(from, { highWaterMark: CHUNK_BYTES }));
    await target.sync();
  } finally {
    await target.close();
  }
};

/** Null when there is no such file. */
export const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** Null when there is no such file. */
export const openFile = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};
