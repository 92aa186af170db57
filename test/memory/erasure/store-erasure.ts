import { ERASURE_SETTLES_SECONDS, type Erasure } from '../../../src/domain/identity/store.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { StoreErasure } from '../../../src/domain/ports/identity/store-erasure.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { installationsOf, storesOf } from '../identity/identity-tables.ts';
import { revokeTokens } from '../identity/token-repository.ts';
import { mediaFilesOf } from '../media/media-file-repository.ts';
import { table, type MemoryState } from '../state.ts';
import { deliveriesOf, subscriptionsOf } from '../webhooks/delivery-tables.ts';
import { stopWork } from '../work-lease.ts';

const erasuresOf = (state: MemoryState): Map<string, Erasure> => table<Erasure>(state, 'store_erasures');

const LATER = new Set(['stores', 'store_erasures', 'installations', 'media_files']);

const rowsOf = (state: MemoryState, storeId: string): (readonly [name: string, key: string])[] => {
  const owned = <Row extends { readonly storeId: string }>(rows: Map<string, Row>): string[] =>
    [...rows].flatMap(([key, row]) => (row.storeId === storeId ? [key] : []));
  const ids = [storeId, ...owned(installationsOf(state)), ...owned(deliveriesOf(state))];
  return Object.entries(state.tables).flatMap(([name, rows]) =>
    LATER.has(name)
      ? []
      : [...rows].flatMap(([key, row]) => {
          const text = `${key} ${JSON.stringify(row)}`;
          return ids.some((id) => text.includes(id)) ? [[name, key] as const] : [];
        }),
  );
};

const eraseOf = (state: MemoryState, { storeId, erasedRows }: Erasure, limit: number): number => {
  // Deliveries last: the log of attempts is found by them.
  const rows = rowsOf(state, storeId).sort(([a], [b]) => Number(a === 'deliveries') - Number(b === 'deliveries'));
  const some = rows.slice(0, limit);
  for (const [name, key] of some) state.tables[name]?.delete(key);
  const erasure = erasuresOf(state).get(storeId);
  if (erasure) erasuresOf(state).set(storeId, { ...erasure, erasedRows: erasedRows + some.length });
  return some.length;
};

const finish = (state: MemoryState, storeId: string): void => {
  for (const [id, row] of installationsOf(state)) if (row.storeId === storeId) installationsOf(state).delete(id);
  storesOf(state).delete(storeId);
  erasuresOf(state).delete(storeId);
};

export const storeErasure = (state: MemoryState, clock: Clock): StoreErasure => {
  const isSettled = ({ acceptedAt }: Erasure): boolean => Date.parse(acceptedAt) <= clock.now() - ERASURE_SETTLES_SECONDS * 1_000;
  const close = (storeId: string, domain: string): Erasure => {
    const at = isoTime(clock.now());
    const erasure: Erasure = { storeId, domain, acceptedAt: at, erasedRows: 0 };
    const store = storesOf(state).get(storeId);
    if (store) storesOf(state).set(storeId, { ...store, domain: `erased/${storeId}`, status: 'Inactive', updatedAt: at });
    revokeTokens(state, (row) => row.storeId === storeId);
    for (const [id, row] of installationsOf(state)) {
      if (row.storeId !== storeId || row.status === 'Uninstalled') continue;
      installationsOf(state).set(id, { ...row, status: 'Uninstalled', uninstalledAt: at, updatedAt: at });
    }
    for (const [id, row] of subscriptionsOf(state)) {
      if (row.storeId === storeId) subscriptionsOf(state).set(id, { ...row, isActive: false });
    }
    erasuresOf(state).set(storeId, erasure);
    return erasure;
  };
  return {
    accept: async (storeId, domain) => {
      const begun = erasuresOf(state).get(storeId);
      if (begun) return begun.domain === domain ? begun : 'other_domain';
      const store = storesOf(state).get(storeId);
      if (!store) return null;
      if (store.domain !== domain) return 'other_domain';
      return stopWork(
        state,
        (row) => row.storeId === storeId,
        () => close(storeId, domain),
      );
    },
    open: async () => [...erasuresOf(state).keys()],
    eraseRows: async (limit) => {
      for (const erasure of erasuresOf(state).values()) {
        const erased = eraseOf(state, erasure, limit);
        if (erased > 0) return erased;
        const hasFiles = [...mediaFilesOf(state).values()].some((file) => file.storeId === erasure.storeId);
        if (isSettled(erasure) && !hasFiles) finish(state, erasure.storeId);
      }
      return 0;
    },
    files: async (limit) => {
      const settled = new Set([...erasuresOf(state).values()].filter(isSettled).map(({ storeId }) => storeId));
      return [...mediaFilesOf(state).values()]
        .filter(({ storeId }) => settled.has(storeId))
        .map(({ storeId, key }) => ({ storeId, key }))
        .slice(0, limit);
    },
    forget: async (files) => {
      for (const [id, row] of mediaFilesOf(state)) {
        if (files.some(({ storeId, key }) => row.storeId === storeId && row.key === key)) mediaFilesOf(state).delete(id);
      }
    },
  };
};
