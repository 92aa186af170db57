import type { Installation } from '../../../src/domain/identity/installation.ts';
import {
  MAX_WATCHED,
  type WatchedInstallation,
  type WatchFilter,
} from '../../../src/domain/ports/identity/platform-app-repository.ts';
import { refusalsOf } from '../insight/request-log.ts';
import { hasText } from '../list-page.ts';
import { table, type MemoryState } from '../state.ts';
import { deliveriesOf } from '../webhooks/delivery-tables.ts';
import { statusIn, storesOf } from './identity-tables.ts';

/** The installation with what happened to it; nothing where its store does not match, or is being erased. */
export const watchedIn = (state: MemoryState, { q, since }: WatchFilter, row: Installation): WatchedInstallation[] => {
  const store = storesOf(state).get(row.storeId);
  if (!store || table(state, 'store_erasures').has(store.id)) return [];
  const isUninstalled = row.status === 'Uninstalled';
  if (!hasText(q, ...(isUninstalled ? [] : [store.name, store.domain]))) return [];
  const isOwn = (one: { readonly installationId: string | null }, at: number): boolean =>
    one.installationId === row.id && at >= since;
  const deliveries = [...deliveriesOf(state).values()].filter((one) => isOwn(one, one.createdAt)).slice(-MAX_WATCHED);
  const refusals = [...refusalsOf(state).values()].filter((one) => isOwn(one, Date.parse(one.at))).slice(-MAX_WATCHED);
  const hasFailed = ({ attempts, error }: (typeof deliveries)[number]): boolean => attempts > 0 && error !== null;
  const isFailing = (one: (typeof deliveries)[number]): boolean =>
    one.status === 'Failed' || (one.status === 'Pending' && hasFailed(one));
  const { id, storeId, scopes, createdAt, uninstalledAt } = row;
  const { domain, name, status, sandboxAppId } = store;
  return [
    {
      ...{ id, storeId, scopes, createdAt, uninstalledAt, status: statusIn(state, row) },
      store: isUninstalled ? null : { domain, name, status, sandboxAppId },
      deliveries: {
        delivered: deliveries.filter((one) => one.status === 'Delivered').length,
        failing: deliveries.filter(isFailing).length,
        waiting: deliveries.filter((one) => one.status === 'Pending' && !hasFailed(one)).length,
        isComplete: deliveries.length < MAX_WATCHED,
      },
      refusals: {
        count: refusals.reduce((sum, { leftOut }) => sum + leftOut + 1, 0),
        isComplete: refusals.length < MAX_WATCHED,
      },
    },
  ];
};
