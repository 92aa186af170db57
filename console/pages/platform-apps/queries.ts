import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Installation, ListPage, PlatformApp } from '../../api/types.ts';

const MOST = 250;

export const platformAppsQuery = queryOptions({
  queryKey: ['platform-apps'],
  queryFn: ({ signal }) => api.get<ListPage<PlatformApp>>('/platform-apps', { take: MOST }, signal),
});

/** How many installations an app has had, on all stores. */
export const installationsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['platform-apps', appId, 'installations'],
    queryFn: ({ signal }) => api.get<ListPage<Installation>>(`/platform-apps/${appId}/installations`, { take: MOST }, signal),
  });
