import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../src/domain/ports/clock.ts';
import type {
  FileId,
  KnownFile,
  MediaFileRepository,
  MediaFileUse,
} from '../../../src/domain/ports/media/media-file-repository.ts';
import { liveProducts } from '../catalogue/catalogue-tables.ts';
import type { Locks, TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';

/** `touchedAt` in milliseconds. */
export interface MediaFileRow extends KnownFile {
  readonly touchedAt: number;
  readonly record: string;
}

export const mediaFilesOf = (state: MemoryState): Map<string, MediaFileRow> => table<MediaFileRow>(state, 'media_files');

const HOUR_MS = 3_600_000;

export const mediaFileRepository = (state: MemoryState, clock: Clock, locks: Locks): MediaFileRepository => {
  const rows = (): Map<string, MediaFileRow> => mediaFilesOf(state);
  const nameOf = ({ storeId, key }: FileId): string => `${storeId} ${key}`;
  const isUnused = (mediaUrl: string, file: MediaFileRow): boolean =>
    file.touchedAt < clock.now() - HOUR_MS &&
    !liveProducts(state, file.storeId).some(({ media }) =>
      media.some(({ storageKey, isDeleted }) => !isDeleted && [file.key, `${mediaUrl}/${file.key}`].includes(storageKey)),
    );
  return {
    announce: async (file) => {
      const own = locks.open();
      await own.take(`file ${nameOf(file)}`, 'shared');
      const record = rows().get(nameOf(file))?.record ?? randomUUID();
      rows().set(nameOf(file), { ...file, record, touchedAt: clock.now() });
      own.release();
      return record;
    },
    unused: async (mediaUrl, after, limit) => {
      const behind = [...rows()].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([name]) => !after || name > nameOf(after));
      const seen = behind.slice(0, limit).map(([, row]) => row);
      const files = seen.filter((row) => isUnused(mediaUrl, row)).map(({ storeId, key }) => ({ storeId, key }));
      return { files, last: seen.length < limit ? null : (seen.at(-1) ?? null) };
    },
    free: async (mediaUrl, file, remove) => {
      const row = rows().get(nameOf(file));
      if (!row || !isUnused(mediaUrl, row) || locks.isHeld(`file ${nameOf(file)}`)) return false;
      const own = locks.open();
      await own.take(`file ${nameOf(file)}`);
      try {
        await remove(file.key);
        rows().delete(nameOf(file));
      } finally {
        own.release();
      }
      return true;
    },
  };
};

export const mediaFileUse = (state: MemoryState, locks: TransactionLocks): MediaFileUse => ({
  keep: async (storeId, key, record) => {
    await locks.take(`file ${storeId} ${key}`, 'shared');
    return mediaFilesOf(state).get(`${storeId} ${key}`)?.record === record;
  },
});
