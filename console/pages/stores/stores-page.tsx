import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { Blocks, History, Users } from '../../icons/index.ts';
import { storesQuery } from '../../api/queries.ts';
import type { Store } from '../../api/types.ts';
import { Choice } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { ChangeStatus } from './change-status.tsx';
import { ChangeStore } from './change-store.tsx';
import { CreateStore } from './create-store.tsx';
import { STORE_STATUSES, type StoresSearch } from './search.ts';
import { StoreList } from './store-list.tsx';
import type { StoreChange } from './store-menu.tsx';

const route = getRouteApi('/inside/stores');

export const StoresPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const stores = useQuery({ ...storesQuery({ ...search }), placeholderData: keepPreviousData });
  const [asked, setAsked] = useState<{ readonly store: Store; readonly what: StoreChange } | null>(null);
  const close = (): void => setAsked(null);
  const go = (change: { readonly [K in keyof StoresSearch]?: StoresSearch[K] | undefined }, replace = true): void =>
    void navigate({ search: (old) => ({ ...old, after: undefined, ...change }) as StoresSearch, replace });
  return (
    <Page
      title="Stores"
      intro="Each store has its own catalogue, apps and events. Apps reach it by its domain."
      actions={
        <>
          <May needs="viewer" everywhere>
            <Link to="/platform-apps" className="button">
              <Blocks size={15} aria-hidden /> Platform apps
            </Link>
          </May>
          <May needs="owner" everywhere>
            <Link to="/changes" className="button">
              <History size={15} aria-hidden /> All changes
            </Link>
            <Link to="/operators" className="button">
              <Users size={15} aria-hidden /> Operators
            </Link>
          </May>
          <May everywhere>
            <CreateStore />
          </May>
        </>
      }
    >
      <div className="row">
        <FilterField
          label="Name, domain or id of a store"
          placeholder="Name, domain or id"
          filter={search.q ?? ''}
          onChange={(q) => go({ q: q || undefined })}
        />
        <Choice
          label="Status"
          options={[['', 'All'], ...STORE_STATUSES.map((status) => [status, status] as const)]}
          chosen={search.status ?? ''}
          onChange={(status) => go({ status: status || undefined })}
        />
      </div>
      <Found query={stores} lines={4}>
        {(data) => <StoreList stores={data} search={search} go={go} onAsk={(store, what) => setAsked({ store, what })} />}
      </Found>
      {asked?.what === 'details' && <ChangeStore store={asked.store} onClose={close} />}
      {asked && asked.what !== 'details' && <ChangeStatus store={asked.store} to={asked.what} onClose={close} />}
    </Page>
  );
};
