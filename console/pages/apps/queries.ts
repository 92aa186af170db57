import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { CallFigures, InstalledApp, Installation, UninstallPreview } from '../../api/types.ts';
import { RANGES, type RangeName } from '../overview/ranges.ts';
import type { Scope } from './scopes.ts';

export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId],
    queryFn: ({ signal }) => api.get<Installation>(`/apps/${appId}`, {}, signal),
  });

/** The calls of an app in the range until now. */
export const callsQuery = (appId: string, range: RangeName) => {
  const { seconds, step, everyMs } = RANGES[range];
  return queryOptions({
    queryKey: ['calls', appId, range],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - seconds * 1000).toISOString();
      return api.get<CallFigures>(paths.calls(appId), { since, step }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
};

/** Counts what an uninstall would end now. */
export const uninstallPreviewQuery = (appId: string) =>
  queryOptions({
    queryKey: ['uninstall-preview', appId],
    queryFn: ({ signal }) => api.get<UninstallPreview>(`/apps/${appId}/uninstall-preview`, {}, signal),
    gcTime: 0,
    staleTime: 0,
  });

export const installApp = (storeId: string, app: { readonly name: string; readonly scopes: readonly Scope[] }) =>
  api.post<InstalledApp>(`/stores/${storeId}/apps`, app);

/** Query keys that an action on an app invalidates. */
export const APP_CHANGES = ['app', 'apps', 'platform-apps', 'subscriptions'] as const;
