import { useQuery } from '@tanstack/react-query';

import { isPortal } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { requestGroupsQuery, requestsQuery } from './queries.ts';
import { requestColumns } from './request-columns.tsx';
import { rowOf, rowOfGroup, type RequestRow } from './request-row.ts';
import { isFiltered, isOneKind, type RequestChange, type RequestSearch } from './search.ts';
import { onThisPage } from '../../parts/plural.ts';

const NoRequest = ({ hasFilter }: { readonly hasFilter: boolean }) => (
  <div className="panel">
    {hasFilter ? (
      <Empty title="No refused request matches">Change or clear the filter.</Empty>
    ) : (
      <Empty title="Nothing was refused">
        A request of {isPortal ? 'your app' : 'an app'} that is answered with 4xx or 5xx appears here about a second later, if the
        server keeps refused requests, and for as long as it does. Its body and its token are never kept.
        {isPortal && ' A request without a valid token belongs to no app: only the merchant sees it.'}
      </Empty>
    )}
  </div>
);

interface ListProps {
  readonly storeId: string;
  readonly search: RequestSearch;
  readonly go: (change: RequestChange) => void;
}

const RequestTable = ({ storeId, search, go, rows }: ListProps & { readonly rows: readonly RequestRow[] }) => {
  const appName = useAppName(
    storeId,
    rows.map(({ installationId }) => installationId),
  );
  return (
    <Table
      label="Refused requests"
      columns={requestColumns(storeId, search, appName).filter(
        ({ name }) => !(isPortal && name === 'App') && !(isOneKind(search) && name === 'Over time'),
      )}
      rows={rows}
      keyOf={({ id }) => id}
      openKey={search.open}
      onOpen={({ id }) => go({ open: id })}
    />
  );
};

/** Lists the refused requests by kind. */
export const RequestGroups = (props: ListProps) => {
  const { storeId, search } = props;
  const groups = useQuery(requestGroupsQuery(storeId, search));
  return (
    <Found query={groups} lines={8}>
      {({ items, isComplete }) =>
        items.length === 0 ? (
          <NoRequest hasFilter={isFiltered(search)} />
        ) : (
          <>
            <RequestTable {...props} rows={items.map(rowOfGroup)} />
            {!isComplete && (
              <p className="mute">These are the newest requests. To count older ones, choose an app, a status or a route.</p>
            )}
          </>
        )
      }
    </Found>
  );
};

export const RequestList = (props: ListProps) => {
  const { storeId, search, go } = props;
  const list = useQuery(requestsQuery(storeId, search));
  const isFirst = search.after === undefined;
  return (
    <Found query={list} lines={8}>
      {({ items, next }) =>
        items.length === 0 && isFirst ? (
          <NoRequest hasFilter />
        ) : (
          <>
            <RequestTable {...props} rows={items.map(rowOf)} />
            <Pager
              shown={onThisPage(items, 'request')}
              onFirst={isFirst ? null : () => go({ after: undefined })}
              onNext={next === null ? null : () => go({ after: next })}
            />
          </>
        )
      }
    </Found>
  );
};
