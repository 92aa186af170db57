import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { appsQuery } from '../../api/queries.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Choice } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { appColumns } from './app-columns.tsx';
import { InstallApp } from './install-app.tsx';
import { APP_STATUSES, type AppsSearch } from './search.ts';
import type { Installation } from '../../api/types.ts';

const route = getRouteApi('/inside/stores/$storeId/apps');

const matching = (apps: readonly Installation[], { q = '', status }: AppsSearch): readonly Installation[] => {
  const wanted = q.toLowerCase();
  return apps
    .filter(
      (app) =>
        (status === undefined || app.status === status) && `${app.name} ${app.clientId} ${app.id}`.toLowerCase().includes(wanted),
    )
    .sort((one, other) => APP_STATUSES.indexOf(one.status) - APP_STATUSES.indexOf(other.status));
};

export const AppsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const apps = useQuery(appsQuery(storeId));
  const shown = matching(apps.data?.items ?? [], search);
  const go = (change: { readonly [K in keyof AppsSearch]: AppsSearch[K] | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as AppsSearch, replace: true });
  return (
    <Page title="Apps" intro="The apps installed on this store, and what each may do." actions={<InstallApp storeId={storeId} />}>
      {apps.isPending && <Skeleton lines={6} />}
      {apps.isError && <Failure error={apps.error} retry={() => void apps.refetch()} />}
      {apps.data?.items.length === 0 && (
        <div className="panel">
          <Empty title="No apps yet">
            Install one to get a client id and a client secret. The app uses them to get access tokens from POST /apps/token.
          </Empty>
        </div>
      )}
      {apps.data !== undefined && apps.data.items.length > 0 && (
        <>
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
          {shown.length === 0 ? (
            <div className="panel">
              <Empty title="No app matches">Change or clear the filter.</Empty>
            </div>
          ) : (
            <Table
              label="Apps"
              columns={appColumns(storeId)}
              rows={shown}
              keyOf={({ id }) => id}
              onOpen={({ id }) => void navigate({ to: '/stores/$storeId/apps/$appId', params: { storeId, appId: id } })}
            />
          )}
        </>
      )}
    </Page>
  );
};
