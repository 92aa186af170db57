import type { UseQueryResult } from '@tanstack/react-query';

import type { FeedPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
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

export const FeedList = ({ storeId, page, search, go }: FeedListProps) => (
  <Found query={page} lines={8}>
    {(data) => <EventTable storeId={storeId} page={data} search={search} go={go} empty={NOTHING} names={OLDEST_FIRST} />}
  </Found>
);
