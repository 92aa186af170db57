import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { skipOf } from '../../api/search.ts';
import type { MetaobjectDefinition } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { SkipPager } from '../../parts/skip-pager.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { DeleteType } from './delete-type.tsx';
import { TAKE, typesQuery } from './queries.ts';

const route = getRouteApi('/inside/stores/$storeId/custom-data');

const columnsOf = (
  storeId: string,
  onDelete: (definition: MetaobjectDefinition) => void,
): readonly Column<MetaobjectDefinition>[] => [
  {
    name: 'Type',
    cell: ({ type, name }) => (
      <>
        <Link to="/stores/$storeId/custom-data/$type" params={{ storeId, type }} className="clip" title={name}>
          {name}
        </Link>
        <code className="clip mute">{type}</code>
      </>
    ),
  },
  { name: 'Fields', kind: 'num', cell: ({ fields }) => fields.length.toLocaleString() },
  { name: 'Entries', kind: 'num', cell: ({ entries }) => entries.toLocaleString() },
  { name: 'Of uninstalled apps', kind: 'num', cell: ({ keptEntries }) => keptEntries.toLocaleString() },
  {
    name: '',
    kind: 'tight',
    cell: (definition) => (
      <May>
        <button
          type="button"
          className="button small"
          aria-label={`Delete ${definition.name}`}
          onClick={() => onDelete(definition)}
        >
          Delete
        </button>
      </May>
    ),
  },
];

export const TypesPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [removed, setRemoved] = useState<MetaobjectDefinition | null>(null);
  const list = useQuery(typesQuery(storeId, search));
  return (
    <Page
      title="Custom data"
      intro="What do apps keep in this store? An uninstalled app leaves its entries for 30 days, for its next installation."
    >
      <Found query={list} lines={4}>
        {({ items, total }) =>
          total === 0 ? (
            <div className="panel">
              <Empty title="No types yet">A type is defined by the admin API or by tenon store custom-data.</Empty>
            </div>
          ) : (
            <>
              <Table label="Types" rows={items} keyOf={({ type }) => type} columns={columnsOf(storeId, setRemoved)} />
              <SkipPager
                skip={skipOf(search)}
                shown={items.length}
                take={TAKE}
                total={total}
                onSkip={(skip) => void navigate({ search: { ...(skip !== undefined && { skip }) } })}
              />
            </>
          )
        }
      </Found>
      {removed && <DeleteType storeId={storeId} definition={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
};
