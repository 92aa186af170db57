import { createWorkLeases as memoryLeases, stopWork as stopInMemory } from '../../memory/work-lease.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import type { LeaseWorld } from '../work-lease.contract.ts';
import { idOf, type LeasedRow } from '../lease-rows.ts';

export const memoryLeaseWorld = async (): Promise<LeaseWorld> => {
  const ids = sequentialIds();
  const state = createMemoryState();
  const rows = table<LeasedRow>(state, 'subscriptions');
  const apps = table<LeasedRow>(state, 'installations');
  return {
    worker: () => memoryLeases(state),
    add: async (of) => {
      const [id, storeId, installationId] = [ids.next(), ids.next(), ids.next()];
      apps.set(installationId, { id: installationId, storeId, installationId });
      if (of === 'imports') return { storeId, id: installationId };
      rows.set(id, { id, storeId, installationId });
      return { storeId, id };
    },
    appOf: ({ storeId, id }) => ({ storeId, id: rows.get(id)!.installationId }),
    remove: async ({ id }) => {
      if (!rows.delete(id)) apps.delete(id);
    },
    stop: (by, { id }, work, limit) =>
      stopInMemory(state, (row) => idOf[by](row as LeasedRow) === idOf[by](rows.get(id) ?? apps.get(id)!), work, limit),
    close: async () => undefined,
  };
};
