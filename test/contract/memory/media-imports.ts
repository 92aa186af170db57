import { installationsOf, storesOf } from '../../memory/identity/identity-tables.ts';
import type { MediaImportWorld } from '../media-import-repository.contract.ts';
import { catalogueOf } from '../media-import-worlds.ts';
import { openMemory } from './open-memory.ts';

export const memoryMediaImportWorld = async (): Promise<MediaImportWorld> => {
  const { clock, ids, state, ports: stored } = openMemory();
  const ports = { clock, ...stored };
  return {
    ports,
    ids,
    ...catalogueOf(ports, ids),
    setStore: async (id, status) => {
      const row = storesOf(state).get(id);
      if (row) storesOf(state).set(id, { ...row, status });
    },
    setApp: async (id, status) => {
      const row = installationsOf(state).get(id);
      if (row) installationsOf(state).set(id, { ...row, status });
    },
    passDays: async (days) => {
      clock.advance(days * 86_400_000);
    },
    close: async () => undefined,
  };
};
