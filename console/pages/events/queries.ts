import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { EventDetail, FeedEvent, FeedPage, SentEvent } from '../../api/types.ts';
import { filterOf, type EventSearch } from './search.ts';

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
    queryFn: ({ signal }) => api.get<EventDetail>(paths.event(storeId, eventId), {}, signal),
  });

/** Reads the subject of an event from its data. */
export const resourceOf = ({ data }: Pick<FeedEvent, 'data'>): string | null =>
  typeof data['id'] === 'string' ? data['id'] : null;

/** The body that receivers get. An app sees no more of an event. */
export const sentEventQuery = (storeId: string, eventId: string) =>
  queryOptions({
    queryKey: ['event', storeId, eventId],
    queryFn: async ({ signal }): Promise<SentEvent> => {
      if (!isPortal) return api.get<EventDetail>(paths.event(storeId, eventId), {}, signal);
      const event = await api.get<FeedEvent>(paths.event(storeId, eventId), {}, signal);
      return { ...event, resourceId: resourceOf(event) };
    },
  });
