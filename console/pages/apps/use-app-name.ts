import { useQuery } from '@tanstack/react-query';

import { isPortal } from '../../api/client.ts';
import { appsQuery, sessionQuery } from '../../api/queries.ts';

/** Names an app by its id. Null is the merchant, whose subscriptions belong to no app. An app knows no other one. */
export const useAppName = (storeId: string): ((id: string | null) => string) => {
  const apps = useQuery({ ...appsQuery(storeId), enabled: !isPortal });
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  return (id) => {
    if (id === null) return 'Merchant';
    const own = session.data?.installation;
    if (own) return own.id === id ? own.name : 'Another app';
    return apps.data?.items.find((app) => app.id === id)?.name ?? 'App';
  };
};
