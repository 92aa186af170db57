import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { appsQuery } from '../../api/queries.ts';
import { Choice } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
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
          filter={search.q ?? ''}
          onChange={(q) => go({ q: q || undefined })}
        />
        <Choice
          label="Status"
          options={[['', 'All'], ...APP_STATUSES.map((status) => [status, status] as const)]}
          chosen={search.status ?? ''}
          onChange={(status) => go({ status: status || undefined })}
        />
      </div>
      <Found query={apps} lines={6}>
        {(page) => <AppList storeId={storeId} apps={page} search={search} go={go} />}
      </Found>
    </Page>
  );
};
