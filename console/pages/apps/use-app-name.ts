import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { isPortal } from '../../api/client.ts';
import { appsQuery, sessionQuery } from '../../api/queries.ts';

/** Limit of ids in a request. */
const MOST = 100;

/**
 * Names apps by their ids: those that are given. Null is the merchant, whose subscriptions belong to no app. An app knows
 * no other one.
 */
export const useAppName = (storeId: string, ids: readonly (string | null)[]): ((id: string | null) => string) => {
  const named = [...new Set(ids)].flatMap((id) => id ?? []).sort();
  const isNeeded = !isPortal && named.length > 0;
  const query = appsQuery(storeId, { id: named.slice(0, MOST), take: MOST });
  const apps = useQuery({ ...query, enabled: isNeeded, placeholderData: keepPreviousData });
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  return (id) => {
    if (id === null) return 'Merchant';
    const own = session.data?.installation;
    if (own) return own.id === id ? own.name : 'Another app';
    return apps.data?.items.find((app) => app.id === id)?.name ?? 'App';
  };
};
