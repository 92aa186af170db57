import type { UseQueryResult } from '@tanstack/react-query';

import type { FeedPage } from '../../api/types.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { eventColumns } from '../events/event-columns.tsx';
import type { EventChange, EventSearch } from '../events/search.ts';

interface FeedListProps {
  readonly storeId: string;
  readonly page: UseQueryResult<FeedPage>;
  readonly search: EventSearch;
  readonly go: (change: EventChange) => void;
}

/** One page of the feed, the oldest event first. */
export const FeedList = ({ storeId, page, search, go }: FeedListProps) => {
  const appName = useAppName(storeId);
  if (page.isPending) return <Skeleton lines={8} />;
  if (page.isError) return <Failure error={page.error} retry={() => void page.refetch()} />;
  const { items, next, more } = page.data;
  return (
    <>
      {items.length === 0 ? (
        <div className="panel">
          <Empty title="No event here yet">
            The next event that the scopes of your app allow appears here within seconds. Choose “Oldest” to begin with the first
            event that is kept.
          </Empty>
        </div>
      ) : (
        <Table
          label="Events"
          columns={eventColumns(storeId, search, appName)}
          rows={items}
          keyOf={({ id }) => id}
          openKey={search.open}
          onOpen={({ id }) => go({ open: id })}
        />
      )}
      <Pager
        shown={items.length === 1 ? '1 event on this page' : `${items.length} events on this page`}
        first="Oldest"
        next="Newer"
        onFirst={search.after === undefined ? null : () => go({ after: undefined })}
        onNext={more ? () => go({ after: next }) : null}
      />
    </>
  );
};
