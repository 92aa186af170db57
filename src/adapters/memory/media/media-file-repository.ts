import type { Clock } from '../../../domain/ports/clock.ts';
import type { FileId, KnownFile, MediaFileRepository, MediaFileUse } from '../../../domain/ports/media-file-repository.ts';
import { liveProducts } from '../catalogue/catalogue-tables.ts';
import { table } from '../state.ts';
import type { MemoryState } from '../state.ts';

/** `touchedAt` in milliseconds. */
export interface MediaFileRow extends KnownFile {
  readonly touchedAt: number;
}

/** Under `storeId key`. */
export const mediaFilesOf = (state: MemoryState): Map<string, MediaFileRow> => table<MediaFileRow>(state, 'media_files');

const HOUR_MS = 3_600_000;

export const mediaFileRepository = (state: MemoryState, clock: Clock): MediaFileRepository => {
  const rows = (): Map<string, MediaFileRow> => mediaFilesOf(state);
  const nameOf = ({ storeId, key }: FileId): string => `${storeId} ${key}`;
  const isUnused = (mediaUrl: string, file: MediaFileRow): boolean =>
    file.touchedAt < clock.now() - HOUR_MS &&
    !liveProducts(state, file.storeId).some(({ media }) =>
      media.some(({ storageKey, isDeleted }) => !isDeleted && [file.key, `${mediaUrl}/${file.key}`].includes(storageKey)),
    );
  return {
    announce: async (file) => void rows().set(nameOf(file), { ...file, touchedAt: clock.now() }),
    unused: async (mediaUrl, after, limit) => {
      const behind = [...rows()].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([name]) => !after || name > nameOf(after));
      const seen = behind.slice(0, limit).map(([, row]) => row);
      const files = seen.filter((row) => isUnused(mediaUrl, row)).map(({ storeId, key }) => ({ storeId, key }));
      return { files, last: seen.length < limit ? null : (seen.at(-1) ?? null) };
    },
    free: async (mediaUrl, file, remove) => {
      const row = rows().get(nameOf(file));
      if (!row || !isUnused(mediaUrl, row)) return false;
      await remove(file.key);
      rows().delete(nameOf(file));
      return true;
    },
  };
};

export const mediaFileUse = (state: MemoryState): MediaFileUse => ({
  keep: async (storeId, key) => mediaFilesOf(state).has(`${storeId} ${key}`),
});
