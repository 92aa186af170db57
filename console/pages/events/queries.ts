import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { EventDetail, FeedPage } from '../../api/types.ts';
import { filterOf } from './search.ts';
import type { EventSearch } from './search.ts';

const TAKE = 50;

export const eventsQuery = (storeId: string, search: EventSearch) => {
  const query = { ...filterOf(search), order: 'newest', after: search.after, take: TAKE };
  return queryOptions({
    queryKey: ['events', storeId, query],
    queryFn: ({ signal }) => api.get<FeedPage>(`/stores/${storeId}/events`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const eventQuery = (storeId: string, eventId: string) =>
  queryOptions({
    queryKey: ['event', storeId, eventId],
    queryFn: ({ signal }) => api.get<EventDetail>(`/stores/${storeId}/events/${eventId}`, {}, signal),
  });
