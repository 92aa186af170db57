import { mediaFilesOf } from '../../memory/media/media-file-repository.ts';
import { type MediaFileWorld } from '../media-file-repository.contract.ts';
import { openMemory } from './open-memory.ts';

export const memoryMediaFileWorld = async (): Promise<MediaFileWorld> => {
  const { clock, ids, state, ports } = openMemory();
  return {
    ports,
    ids,
    aStore: async () => ids.next(),
    files: async (storeId) =>
      [...mediaFilesOf(state).values()]
        .filter((row) => row.storeId === storeId)
        .map(({ touchedAt, ...row }) => ({ ...row, age: (clock.now() - touchedAt) / 1000 })),
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    close: async () => undefined,
  };
};
