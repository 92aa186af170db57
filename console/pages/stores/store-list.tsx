import { getRouteApi } from '@tanstack/react-router';

import type { Page, Store } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Table } from '../../parts/table.tsx';
import { storeColumns } from './store-columns.tsx';
import type { StoreChange } from './store-menu.tsx';

const route = getRouteApi('/inside/stores');

/** A few stores are found by eye. */
const MANY = 8;

const matching = (stores: readonly Store[], q = ''): readonly Store[] =>
  stores.filter(({ id, name, domain }) => `${name} ${domain} ${id}`.toLowerCase().includes(q.toLowerCase()));

interface ListProps {
  readonly stores: Page<Store>;
  readonly onAsk: (store: Store, what: StoreChange) => void;
}

/** The stores that match the search. */
export const StoreList = ({ stores: { items, total }, onAsk }: ListProps) => {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = matching(items, q);
  if (items.length === 0) {
    return (
      <div className="panel">
        <Empty title="No stores yet">Create the first one. Then import its catalogue and install an app.</Empty>
      </div>
    );
  }
  return (
    <>
      {(items.length > MANY || q !== undefined) && (
        <FilterField
          label="Name, domain or id of a store"
          placeholder="Name, domain or id"
          initial={q ?? ''}
          onChange={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      )}
      {shown.length === 0 ? (
        <div className="panel">
          <Empty title="No store matches">Change or clear the search.</Empty>
        </div>
      ) : (
        <Table
          label="Stores"
          rows={shown}
          keyOf={({ id }) => id}
          columns={storeColumns(onAsk)}
          onOpen={({ id }) => void navigate({ to: '/stores/$storeId', params: { storeId: id } })}
        />
      )}
      {total > items.length && (
        <p className="mute">
          The first {items.length.toLocaleString()} of {total.toLocaleString()} stores are shown.
        </p>
      )}
    </>
  );
};
