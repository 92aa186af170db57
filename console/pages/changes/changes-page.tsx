import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { Found } from '../../parts/found.tsx';
import { Page } from '../../parts/page.tsx';
import { ChangeDrawer } from './change-drawer.tsx';
import { ChangeList } from './change-list.tsx';
import { changesQuery } from './queries.ts';
import type { ChangeSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/changes');

/** What operators changed in the store, or asked to change. */
export const ChangesPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(changesQuery(storeId, search.after));
  const go = (change: { readonly [K in keyof ChangeSearch]?: ChangeSearch[K] | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as ChangeSearch, resetScroll: false });
  const opened = list.data?.items.find(({ id }) => id === search.open);
  return (
    <Page title="Changes" intro="Who changed what in this store, when, and what was there before? Newest first, for two years.">
      <Found query={list} lines={8}>
        {(page) => <ChangeList storeId={storeId} page={page} search={search} go={go} />}
      </Found>
      {opened && <ChangeDrawer change={opened} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
