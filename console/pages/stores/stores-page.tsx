import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { storesQuery } from '../../api/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

export const StoresPage = () => {
  const stores = useQuery(storesQuery);
  return (
    <Page title="Stores" intro="Each store has its own catalogue, apps and events. Apps reach it by its domain.">
      {stores.isPending && <Skeleton lines={4} />}
      {stores.isError && <Failure error={stores.error} retry={() => void stores.refetch()} />}
      {stores.data?.items.length === 0 && <Empty title="No stores yet">Create the first one.</Empty>}
      {stores.data !== undefined && stores.data.items.length > 0 && (
        <Table
          label="Stores"
          rows={stores.data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: ({ id, name }) => (
                <Link to="/stores/$storeId" params={{ storeId: id }}>
                  {name}
                </Link>
              ),
            },
            { name: 'Domain', cell: ({ domain }) => <code>{domain}</code> },
            { name: 'Currency', cell: ({ currency }) => currency },
            {
              name: 'Status',
              kind: 'tight',
              cell: ({ status }) => <Badge tone={status === 'Active' ? 'ok' : 'warn'}>{status}</Badge>,
            },
            { name: 'Created', kind: 'tight', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </Page>
  );
};
