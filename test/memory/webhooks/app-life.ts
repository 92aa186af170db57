import { lifeEvents, type LivingApp, type ReportedLife } from '../../../src/domain/webhooks/app-life.ts';
import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { AppLife } from '../../../src/domain/ports/webhooks/app-life.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { table, type MemoryState } from '../state.ts';
import { eventRepository } from './event-repository.ts';
import { installationsOf, platformAppsOf, statusIn, storesOf } from '../identity/identity-tables.ts';

/** State of each installation in the events so far. */
const toldOf = (state: MemoryState): Map<string, ReportedLife> => table<ReportedLife>(state, 'told');

const livingOf = (state: MemoryState, row: Installation): LivingApp[] => {
  const status = statusIn(state, row);
  if (status === 'Uninstalled' || !platformAppsOf(state).has(row.platformAppId ?? '')) return [];
  const { id, storeId, name, scopes } = row;
  const { domain = '', sandboxAppId = null } = storesOf(state).get(storeId) ?? {};
  return [{ id, storeId, name, scopes, status, domain, isSandbox: sandboxAppId !== null }];
};

export const appLife = (state: MemoryState, options: { clock: Clock; ids: Ids }): AppLife => ({
  record: async (limit, platformAppId) => {
    const changed = [...installationsOf(state).values()]
      .filter((row) => platformAppId === undefined || row.platformAppId === platformAppId)
      .flatMap((row) => livingOf(state, row))
      .map((now) => ({ now, events: lifeEvents(toldOf(state).get(now.id) ?? null, now) }))
      .filter(({ events }) => events.length > 0);
    const stores = new Set([...new Set(changed.map(({ now }) => now.storeId))].slice(0, limit));
    for (const { now, events } of changed.filter((one) => stores.has(one.now.storeId))) {
      toldOf(state).set(now.id, { status: now.status, scopes: now.scopes });
      await eventRepository(state, options, null).append(events);
    }
    return [...stores];
  },
});
