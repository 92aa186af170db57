import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { MAX_IMAGE_BYTES } from '../../../domain/media/image.ts';
import { IMAGE_TYPES, parseMediaKey, type MediaFile } from '../../../domain/media/media-file.ts';
import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import type { MediaFileEntry } from '../../archive/read-archive.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import type { Config } from '../settings/config.ts';
import { StartFailure } from '../../startup/start-failure.ts';

export interface MediaTarget {
  put(file: Pick<MediaFileEntry, 'key' | 'sizeBytes' | 'bytes'>): Promise<void>;
  count(): number;
  /** Creates the directory, also where the archive has no files: no server starts without that of files which the rows name. */
  prepare(): Promise<void>;
  /** Removes the files that were put and did not exist before. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

/** Throws a StartFailure unless the file is one that Tenon could have stored, for the only store of the archive if it has one. */
const admitFile = ({ key, sizeBytes }: Pick<MediaFileEntry, 'key' | 'sizeBytes'>, only: string | null): MediaFile => {
  const file = parseMediaKey(key);
  if (file === null) throw new StartFailure(`${key} is not the key of a media file. Nothing was changed.`);
  if (only !== null && file.storeId !== only) {
    throw new StartFailure(`The media file ${key} does not belong to the store of the file. Nothing was changed.`);
  }
  if (sizeBytes > MAX_IMAGE_BYTES) {
    throw new StartFailure(
      `The media file ${key} has more than ${String(MAX_IMAGE_BYTES / 1_048_576)} MiB. Nothing was changed.`,
    );
  }
  return file;
};

/** `only`: the id of the store whose files are taken; null for those of all stores. */
export const openMediaTarget = async (
  { MEDIA_STORAGE, AWS_REGION }: Pick<Config, 'MEDIA_STORAGE' | 'AWS_REGION'>,
  only: string | null,
): Promise<MediaTarget> => {
  let opening: Promise<MediaStorage> | undefined;
  const open = (): Promise<MediaStorage> => (opening ??= openMediaStorage(MEDIA_STORAGE, AWS_REGION));
  const folder = await mkdtemp(join(tmpdir(), 'tenon-restore-'));
  const added: string[] = [];
  let files = 0;
  return {
    put: async ({ key, sizeBytes, bytes }) => {
      const file = admitFile({ key, sizeBytes }, only);
      const storage = await open();
      const path = join(folder, file.sha256);
      // The archive checks the bytes by their key when it has given the last of them.
      await pipeline(bytes, createWriteStream(path));
      if ((await storage.size(key)) === null) {
        await storage.put(key, path, IMAGE_TYPES[file.extension]);
        added.push(key);
      }
      await rm(path);
      files += 1;
    },
    count: () => files,
    prepare: async () => {
      if ('directory' in MEDIA_STORAGE) await open();
    },
    undo: async () => {
      const storage = await opening;
      for (const key of added) await storage?.remove(key);
    },
    close: async () => {
      await (await opening)?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
