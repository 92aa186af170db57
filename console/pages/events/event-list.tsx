import type { UseQueryResult } from '@tanstack/react-query';

import type { FeedPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { EventTable } from './event-table.tsx';
import { isFiltered, type EventChange, type EventSearch } from './search.ts';
import { NoMatch } from '../../parts/no-match.tsx';

const NoEvent = ({ hasFilter, isEnd }: { readonly hasFilter: boolean; readonly isEnd: boolean }) => {
  if (!hasFilter) {
    return (
      <Empty title="No events yet">
        An event is recorded when something changes in the store. Change a product in the Catalogue, and it appears here
        immediately.
      </Empty>
    );
  }
  return <NoMatch one="event" isEnd={isEnd} />;
};

interface ListProps {
  readonly storeId: string;
  readonly list: UseQueryResult<FeedPage>;
  readonly search: EventSearch;
  readonly go: (change: EventChange) => void;
  readonly arrived: ReadonlySet<string>;
}

export const EventList = ({ storeId, list, search, go, arrived }: ListProps) => (
  <Found query={list} lines={8}>
    {(page) => {
      const empty = <NoEvent hasFilter={isFiltered(search)} isEnd={!page.more} />;
      return <EventTable storeId={storeId} page={page} search={search} go={go} arrived={arrived} empty={empty} />;
    }}
  </Found>
);
