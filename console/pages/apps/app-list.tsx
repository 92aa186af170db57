import { useNavigate } from '@tanstack/react-router';

import type { Installation, ListPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Table } from '../../parts/table.tsx';
import { appColumns } from './app-columns.tsx';
import type { AppsSearch } from './search.ts';
import { ListPager } from '../../parts/list-pager.tsx';

interface ListProps {
  readonly storeId: string;
  readonly apps: ListPage<Installation>;
  readonly search: AppsSearch;
  readonly go: (change: { readonly after: string | undefined }, replace: false) => void;
}

/** A page of the apps that match, or why there is none. */
export const AppList = ({ storeId, apps: { items, total, next }, search, go }: ListProps) => {
  const navigate = useNavigate();
  if (items.length === 0 && search.after === undefined) {
    const isFiltered = search.q !== undefined || search.status !== undefined;
    return (
      <div className="panel">
        {isFiltered ? (
          <Empty title="No app matches">Change or clear the filter.</Empty>
        ) : (
          <Empty title="No apps yet">
            Install one to get a client id and a client secret. The app uses them to get access tokens from POST /apps/token.
          </Empty>
        )}
      </div>
    );
  }
  return (
    <>
      <Table
        label="Apps"
        columns={appColumns(storeId)}
        rows={items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/stores/$storeId/apps/$appId', params: { storeId, appId: id } })}
      />
      <ListPager
        items={items}
        total={total}
        one="app"
        after={search.after}
        next={next}
        onPage={(after) => go({ after }, false)}
      />
    </>
  );
};
