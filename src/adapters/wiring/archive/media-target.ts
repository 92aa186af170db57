import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { IMAGE_TYPES, parseMediaKey } from '../../../domain/media/media-file.ts';
import type { MediaStorage } from '../../../domain/ports/media-storage.ts';
import { openMediaStorage } from '../../media/media-storage.ts';
import type { Config } from '../config.ts';
import { StartFailure } from '../start-failure.ts';

/** Where the media files of an archive go. The storage is opened for the first of them. */
export interface MediaTarget {
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** How many files were put. */
  count(): number;
  /** Removes the files that were put and did not exist before. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

export const openMediaTarget = async ({
  MEDIA_STORAGE,
  AWS_REGION,
}: Pick<Config, 'MEDIA_STORAGE' | 'AWS_REGION'>): Promise<MediaTarget> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-restore-'));
  const added: string[] = [];
  let opening: Promise<MediaStorage> | undefined;
  let files = 0;
  return {
    put: async (key, bytes) => {
      const file = parseMediaKey(key);
      if (file === null) throw new StartFailure(`${key} is not the key of a media file. Nothing was changed.`);
      const storage = await (opening ??= openMediaStorage(MEDIA_STORAGE, AWS_REGION));
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
