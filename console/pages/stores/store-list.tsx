import { useNavigate } from '@tanstack/react-router';

import type { ListPage, Store } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Table } from '../../parts/table.tsx';
import type { StoresSearch } from './search.ts';
import { storeColumns } from './store-columns.tsx';
import type { StoreChange } from './store-menu.tsx';
import { ListPager } from '../../parts/list-pager.tsx';

interface ListProps {
  readonly stores: ListPage<Store>;
  readonly search: StoresSearch;
  readonly go: (change: { readonly after: string | undefined }, replace: false) => void;
  readonly onAsk: (store: Store, what: StoreChange) => void;
}

/** A page of the stores that match, or why there is none. */
export const StoreList = ({ stores: { items, total, next }, search, go, onAsk }: ListProps) => {
  const navigate = useNavigate();
  if (items.length === 0 && search.after === undefined) {
    const isFiltered = search.q !== undefined || search.status !== undefined;
    return (
      <div className="panel">
        {isFiltered ? (
          <Empty title="No store matches">Change or clear the search.</Empty>
        ) : (
          <Empty title="No stores yet">Create the first one. Then import its catalogue and install an app.</Empty>
        )}
      </div>
    );
  }
  return (
    <>
      <Table
        label="Stores"
        rows={items}
        keyOf={({ id }) => id}
        columns={storeColumns(onAsk)}
        onOpen={({ id }) => void navigate({ to: '/stores/$storeId', params: { storeId: id } })}
      />
      <ListPager
        items={items}
        total={total}
        one="store"
        after={search.after}
        next={next}
        onPage={(after) => go({ after }, false)}
      />
    </>
  );
};
