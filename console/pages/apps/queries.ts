import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';

import { api } from '../../api/client.ts';
import type { InstalledApp, Installation } from '../../api/types.ts';
import type * as installations from '../../../src/adapters/http/schemas/installation.ts';
import type { Scope } from './scopes.ts';

type UninstallPreview = z.output<typeof installations.uninstallPreview>;

export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId],
    queryFn: ({ signal }) => api.get<Installation>(`/apps/${appId}`, {}, signal),
  });

/** What an uninstall would end at this moment. */
export const uninstallPreviewQuery = (appId: string) =>
  queryOptions({
    queryKey: ['uninstall-preview', appId],
    queryFn: ({ signal }) => api.get<UninstallPreview>(`/apps/${appId}/uninstall-preview`, {}, signal),
    gcTime: 0,
    staleTime: 0,
  });

export const installApp = (storeId: string, app: { readonly name: string; readonly scopes: readonly Scope[] }) =>
  api.post<InstalledApp>(`/stores/${storeId}/apps`, app);

/** What an action on an app changes of what the pages know. */
export const APP_CHANGES = ['app', 'apps', 'subscriptions'] as const;
