import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { api } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import type { ListPage, WatchedInstallation } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Found } from '../../parts/found.tsx';
import { Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import type { StoresSearch } from '../stores/search.ts';
import { homeOf, INSTALLATION_COLUMNS } from './installation-columns.tsx';
import { ListPager } from '../../parts/list-pager.tsx';

const route = getRouteApi('/inside/stores');

/** Equals the period of the pages of an installation, which have no stream either. */
const EVERY_MS = 15_000;

const installationsQuery = ({ q, after }: StoresSearch) =>
  queryOptions({
    queryKey: ['installations', q, after],
    queryFn: ({ signal }) => api.get<ListPage<WatchedInstallation>>('/installations', { q, after }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });

interface ListProps {
  readonly page: ListPage<WatchedInstallation>;
  readonly search: StoresSearch;
  readonly go: (after: string | undefined) => void;
}

const InstallationList = ({ page: { items, total, next }, search, go }: ListProps) => {
  if (items.length === 0 && search.after === undefined) {
    return (
      <div className="panel">
        {search.q === undefined ? (
          <Empty title="Not installed yet">The first store appears here once its merchant has accepted your app.</Empty>
        ) : (
          <Empty title="No store matches">Change or clear the search.</Empty>
        )}
      </div>
    );
  }
  return (
    <>
      <Table
        label="Installations"
        rows={items}
        keyOf={({ id }) => id}
        columns={INSTALLATION_COLUMNS}
        onOpen={(of) => {
          const home = homeOf(of);
          if (home !== null) location.assign(home);
        }}
      />
      <ListPager items={items} total={total} one="installation" after={search.after} next={next} onPage={go} />
    </>
  );
};

/** Where a platform app is installed, and how it is doing there. */
export const InstallationsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const app = useQuery(sessionQuery).data?.platformApp;
  // Once the session has ended, nothing is asked for again before the reader is led to the sign-in.
  const page = useQuery({ ...installationsQuery(search), enabled: app !== undefined });
  return (
    <Page
      title={app?.name ?? 'App'}
      intro="Where your app is installed. Deliveries and refused requests are of the last 24 hours."
    >
      <div className="row">
        <FilterField
          label="Name or domain of a store"
          placeholder="Name or domain"
          filter={search.q ?? ''}
          onChange={(q) => void navigate({ search: q === '' ? {} : { q }, replace: true })}
        />
      </div>
      <Found query={page} lines={4}>
        {(data) => (
          <InstallationList
            page={data}
            search={search}
            go={(after) => void navigate({ search: (old) => ({ ...old, after }) as StoresSearch })}
          />
        )}
      </Found>
    </Page>
  );
};
