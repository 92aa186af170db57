import type { UseQueryResult } from '@tanstack/react-query';

import type { RefusedRequestPage } from '../../api/types.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { requestColumns } from './request-columns.tsx';
import { isFiltered, type RequestChange, type RequestSearch } from './search.ts';

const NoRequest = ({ hasFilter }: { readonly hasFilter: boolean }) =>
  hasFilter ? (
    <Empty title="No refused request matches">Change or clear the filter.</Empty>
  ) : (
    <Empty title="Nothing was refused">
      A request of an app that is answered with 4xx or 5xx appears here about a second later, and is kept for seven days. Its body
      and its token are never kept.
    </Empty>
  );

interface ListProps {
  readonly storeId: string;
  readonly list: UseQueryResult<RefusedRequestPage>;
  readonly search: RequestSearch;
  readonly go: (change: RequestChange) => void;
}

/** One page of refused requests, or why there is none. */
export const RequestList = ({ storeId, list, search, go }: ListProps) => {
  const appName = useAppName(
    storeId,
    (list.data?.items ?? []).map(({ installationId }) => installationId),
  );
  if (list.isPending) return <Skeleton lines={8} />;
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { items, next } = list.data;
  const isFirst = search.after === undefined;
  if (items.length === 0 && isFirst) {
    return (
      <div className="panel">
        <NoRequest hasFilter={isFiltered(search)} />
      </div>
    );
  }
  return (
    <>
      <Table
        label="Refused requests"
        columns={requestColumns(storeId, search, appName)}
        rows={items}
        keyOf={({ id }) => id}
        openKey={search.open}
        onOpen={({ id }) => go({ open: id })}
      />
      <Pager
        shown={items.length === 1 ? '1 request on this page' : `${items.length} requests on this page`}
        onFirst={isFirst ? null : () => go({ after: undefined })}
        onNext={next === null ? null : () => go({ after: next })}
      />
    </>
  );
};
