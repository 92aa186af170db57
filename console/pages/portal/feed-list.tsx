import type { UseQueryResult } from '@tanstack/react-query';

import type { FeedPage } from '../../api/types.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { EventTable } from '../events/event-table.tsx';
import type { EventChange, EventSearch } from '../events/search.ts';

const OLDEST_FIRST = { first: 'Oldest', next: 'Newer' };

const NOTHING = (
  <Empty title="No event here yet">
    The next event that your app's scopes allow appears here within seconds. Choose “Oldest” to start with the first event that is
    kept.
  </Empty>
);

interface FeedListProps {
  readonly storeId: string;
  readonly page: UseQueryResult<FeedPage>;
  readonly search: EventSearch;
  readonly go: (change: EventChange) => void;
}

/** One page of the feed, the oldest event first. */
export const FeedList = ({ storeId, page, search, go }: FeedListProps) => {
  if (page.isPending) return <Skeleton lines={8} />;
  if (page.isError) return <Failure error={page.error} retry={() => void page.refetch()} />;
  return <EventTable storeId={storeId} page={page.data} search={search} go={go} empty={NOTHING} names={OLDEST_FIRST} />;
};
