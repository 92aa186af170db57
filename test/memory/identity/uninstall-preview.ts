import { MAX_PREVIEWED, type UninstallPreview } from '../../../src/domain/ports/identity/installation-repository.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { openImports } from '../media/media-import-repository.ts';
import type { MemoryState } from '../state.ts';
import { deliveriesOf, subscriptionsOf } from '../webhooks/delivery-tables.ts';
import { installationOf, tokensOf } from './identity-tables.ts';

/** Counts what an uninstall would end now. Null when the installation does not exist. */
export const previewUninstall = (
  state: MemoryState,
  clock: Clock,
  { storeId, id }: { readonly storeId: string; readonly id: string },
): UninstallPreview | null => {
  if (!installationOf(state, storeId, id)) return null;
  const isIts = (row: { readonly installationId: string | null }): boolean => row.installationId === id;
  const owned = new Set([...subscriptionsOf(state)].flatMap(([key, row]) => (isIts(row) ? [key] : [])));
  const queued = [...deliveriesOf(state).values()].filter((row) => row.nextAttemptAt !== null && owned.has(row.subscriptionId));
  const tokens = [...tokensOf(state).values()].filter((row) => isIts(row) && row.expiresAt > clock.now());
  const imports = openImports(state).filter(isIts);
  const bounded = (rows: readonly unknown[]): number => Math.min(rows.length, MAX_PREVIEWED);
  return {
    deliveries: bounded(queued),
    subscriptions: owned.size,
    tokens: bounded(tokens),
    mediaImports: bounded(imports),
    isComplete: [queued, tokens, imports].every((rows) => rows.length <= MAX_PREVIEWED),
  };
};
