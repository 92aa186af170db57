import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { skipOf } from '../../api/search.ts';
import type { MetaobjectDefinition, Page, StoredMetaobjectEntry } from '../../api/types.ts';
import type { PageSearch } from './search.ts';

export const TAKE = 50;

export const typesQuery = (storeId: string, search: PageSearch) => {
  const query = { skip: skipOf(search), take: TAKE };
  return queryOptions({
    queryKey: ['metaobject-types', storeId, query],
    queryFn: ({ signal }) => api.get<Page<MetaobjectDefinition>>(`/stores/${storeId}/metaobject-definitions`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const entriesPath = (storeId: string, type: string): string =>
  `/stores/${storeId}/metaobjects/${encodeURIComponent(type)}`;

export const entriesQuery = (storeId: string, type: string, search: PageSearch) => {
  const query = { skip: skipOf(search), take: TAKE };
  return queryOptions({
    queryKey: ['metaobject-entries', storeId, type, query],
    queryFn: ({ signal }) => api.get<Page<StoredMetaobjectEntry>>(entriesPath(storeId, type), query, signal),
    placeholderData: keepPreviousData,
  });
};
