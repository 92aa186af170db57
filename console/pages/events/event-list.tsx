import type { UseQueryResult } from '@tanstack/react-query';

import type { FeedPage } from '../../api/types.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { eventColumns } from './event-columns.tsx';
import { isFiltered } from './search.ts';
import type { EventChange, EventSearch } from './search.ts';

const NoEvent = ({ hasFilter, isEnd }: { readonly hasFilter: boolean; readonly isEnd: boolean }) => {
  if (!hasFilter) {
    return (
      <Empty title="No events yet">
        An event is recorded when something changes in the store. Change a product in the Catalogue, and it appears here at once.
      </Empty>
    );
  }
  return isEnd ? (
    <Empty title="No event matches">Change or clear the filter.</Empty>
  ) : (
    <Empty title="No match so far">The list is long. Choose “Older” to look further back.</Empty>
  );
};

interface ListProps {
  readonly storeId: string;
  readonly list: UseQueryResult<FeedPage>;
  readonly search: EventSearch;
  readonly go: (change: EventChange) => void;
  readonly arrived: ReadonlySet<string>;
}

/** One page of events, or why there is none. */
export const EventList = ({ storeId, list, search, go, arrived }: ListProps) => {
  const appName = useAppName(storeId);
  if (list.isPending) return <Skeleton lines={8} />;
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { items, next, more } = list.data;
  return (
    <>
      {items.length === 0 ? (
        <div className="panel">
          <NoEvent hasFilter={isFiltered(search)} isEnd={!more} />
        </div>
      ) : (
        <Table
          label="Events"
          columns={eventColumns(storeId, search, appName)}
          rows={items}
          keyOf={({ id }) => id}
          openKey={search.open}
          onOpen={({ id }) => go({ open: id })}
          arrived={arrived}
        />
      )}
      <Pager
        shown={items.length === 1 ? '1 event on this page' : `${items.length} events on this page`}
        onFirst={search.after === undefined ? null : () => go({ after: undefined })}
        onNext={more ? () => go({ after: next }) : null}
      />
    </>
  );
};
