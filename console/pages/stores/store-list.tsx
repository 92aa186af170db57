import { useNavigate } from '@tanstack/react-router';

import type { ListPage, Store } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import type { StoresSearch } from './search.ts';
import { storeColumns } from './store-columns.tsx';
import type { StoreChange } from './store-menu.tsx';
import { ofTotal } from '../../parts/plural.ts';

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
      <Pager
        shown={ofTotal(items, total, 'store')}
        first="First"
        next="Next"
        onFirst={search.after === undefined ? null : () => go({ after: undefined }, false)}
        onNext={next === null ? null : () => go({ after: next }, false)}
      />
    </>
  );
};
