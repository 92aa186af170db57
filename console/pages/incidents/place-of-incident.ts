import { present } from '../../api/search.ts';
import type { Incident } from '../../api/types.ts';

/** The page of what an incident is about. Null where the console has no such page. */
export const placeOfIncident = (
  storeId: string,
  {
    kind,
    subscriptionId,
    installationId,
    check,
    reason,
  }: Pick<Incident, 'kind' | 'subscriptionId' | 'installationId' | 'check' | 'reason'>,
) => {
  const params = { storeId };
  const app = installationId ?? undefined;
  if (subscriptionId !== null) {
    return { to: '/stores/$storeId/subscriptions/$subscriptionId', params: { storeId, subscriptionId } } as const;
  }
  if (kind === 'refusals') {
    const search = present({ check: check ?? undefined, reason: reason ?? undefined, app });
    return { to: '/stores/$storeId/requests', params, search } as const;
  }
  if (kind === 'media_imports_failed') {
    const search = present({ app, status: ['Failed', 'CompletedWithErrors'] as const });
    return { to: '/stores/$storeId/media', params, search } as const;
  }
  if (kind === 'product_import_failed') return { to: '/stores/$storeId/import', params } as const;
  if (kind === 'deliveries_late') {
    // The range is open: a delivery that is late now may have been created days before.
    return { to: '/stores/$storeId/deliveries', params, search: { status: ['Waiting', 'Retrying'] } } as const;
  }
  return null;
};
