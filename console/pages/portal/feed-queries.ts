import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { FeedPage } from '../../api/types.ts';

const TAKE = 50;
/** The end of the feed is read this often. */
const END_MS = 5_000;

interface Place {
  readonly types: string | undefined;
  /** Undefined is the oldest event that is kept. */
  readonly after: string | undefined;
}

/** A page of the feed in its order. The last page fills up while it is looked at. */
export const feedQuery = ({ types, after }: Place, isLive: boolean) =>
  queryOptions({
    queryKey: ['feed', types, after],
    queryFn: ({ signal }) => api.get<FeedPage>('/events', { types, after, take: TAKE }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive && state.data?.more === false ? END_MS : false),
  });

export const readNewestPlace = async (): Promise<string> =>
  (await api.get<FeedPage>('/events', { after: 'latest', take: 1 })).next;
