import { useQuery } from '@tanstack/react-query';

import { appsQuery } from '../../api/queries.ts';

/** Names an app by its id. Null is the merchant, whose subscriptions belong to no app. */
export const useAppName = (storeId: string): ((id: string | null) => string) => {
  const apps = useQuery(appsQuery(storeId));
  return (id) => (id === null ? 'Merchant' : (apps.data?.items.find((app) => app.id === id)?.name ?? 'App'));
};
