import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { appsQuery } from '../../api/queries.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { Choice } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { May } from '../../parts/may.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { AppList } from './app-list.tsx';
import { InstallApp } from './install-app.tsx';
import { APP_STATUSES, type AppsSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/apps');

export const AppsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const apps = useQuery({ ...appsQuery(storeId, { ...search }), placeholderData: keepPreviousData });
  const go = (change: { readonly [K in keyof AppsSearch]?: AppsSearch[K] | undefined }, replace = true): void =>
    void navigate({ search: (old) => ({ ...old, after: undefined, ...change }) as AppsSearch, replace });
  return (
    <Page
      title="Apps"
      intro="The apps installed on this store, and what each may do."
      actions={
        <May>
          <InstallApp storeId={storeId} />
        </May>
      }
    >
      <div className="row">
        <FilterField
          label="Name or id of the app"
          placeholder="Name, client id or id"
          initial={search.q ?? ''}
          onChange={(q) => go({ q: q || undefined })}
        />
        <Choice
          label="Status"
          options={[['', 'All'], ...APP_STATUSES.map((status) => [status, status] as const)]}
          chosen={search.status ?? ''}
          onChange={(status) => go({ status: status || undefined })}
        />
      </div>
      {apps.isPending && <Skeleton lines={6} />}
      {apps.isError && <Failure error={apps.error} retry={() => void apps.refetch()} />}
      {apps.data && <AppList storeId={storeId} apps={apps.data} search={search} go={go} />}
    </Page>
  );
};
