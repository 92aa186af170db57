import { getRouteApi, Link } from '@tanstack/react-router';

import { Changes } from './changes.tsx';
import type { ChangeSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/changes');

export const ChangesPage = () => {
  const { storeId } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <Changes
      title="Changes"
      intro={
        <>
          Who changed what in this store, when, and what was there before? Newest first, for two years.{' '}
          <Link to="/changes">All changes</Link> also has those of other stores, and who signed in.
        </>
      }
      storeId={storeId}
      search={route.useSearch()}
      go={(change) => void navigate({ search: (old) => ({ ...old, ...change }) as ChangeSearch, resetScroll: false })}
    />
  );
};
