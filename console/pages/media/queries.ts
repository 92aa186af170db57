import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { MediaImportDetail, MediaImportPage } from '../../api/types.ts';
import type { MediaSearch } from './search.ts';

const TAKE = 50;

export const mediaImportsQuery = (storeId: string, { app, status, after }: MediaSearch) => {
  const query = { installationId: app, status, after, take: TAKE };
  return queryOptions({
    queryKey: ['media-imports', storeId, query],
    queryFn: ({ signal }) => api.get<MediaImportPage>(`/stores/${storeId}/media-imports`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const mediaImportQuery = (importId: string) =>
  queryOptions({
    queryKey: ['media-import', importId],
    queryFn: ({ signal }) => api.get<MediaImportDetail>(`/media-imports/${importId}`, {}, signal),
  });
