import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import type { Warehouse } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { None, Table, type Column } from '../../parts/table.tsx';
import { EditWarehouse } from './edit-warehouse.tsx';
import { MOST_SHOWN, warehousesQuery } from './queries.ts';

const route = getRouteApi('/inside/stores/$storeId/warehouses');

const columnsOf = (storeId: string, onEdit: (warehouse: Warehouse) => void): readonly Column<Warehouse>[] => [
  {
    name: 'Name',
    cell: ({ id, name }) =>
      name === id ? (
        <span className="mute">{id === storeId ? 'Default' : 'No name'}</span>
      ) : (
        <span className="clip" title={name}>
          {name}
        </span>
      ),
  },
  {
    name: '',
    kind: 'tight',
    cell: (warehouse) => (
      <May>
        <button type="button" className="button small" aria-label={`Edit ${warehouse.name}`} onClick={() => onEdit(warehouse)}>
          Edit
        </button>
      </May>
    ),
  },
  { name: 'Code', kind: 'tight', cell: ({ code }) => (code === null ? <None /> : <code>{code}</code>) },
  { name: 'Country', kind: 'tight', cell: ({ country }) => country ?? <None /> },
  { name: 'Id', kind: 'tight', cell: ({ id }) => <Id value={id} short /> },
];

export const WarehousesPage = () => {
  const { storeId } = route.useParams();
  const [edited, setEdited] = useState<Warehouse | null>(null);
  const list = useQuery(warehousesQuery(storeId));
  return (
    <Page title="Warehouses" intro="Where is the stock? Apps and events show these names.">
      <div className="panel">
        <Found query={list}>
          {({ items, hasMore }) =>
            items.length === 0 ? (
              <Empty title="No warehouses yet">A warehouse is here as soon as stock names it.</Empty>
            ) : (
              <>
                <Table label="Warehouses" rows={items} keyOf={({ id }) => id} columns={columnsOf(storeId, setEdited)} />
                {hasMore && <p className="mute">The first {MOST_SHOWN.toLocaleString()} are shown.</p>}
              </>
            )
          }
        </Found>
      </div>
      {edited && <EditWarehouse storeId={storeId} warehouse={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
};
