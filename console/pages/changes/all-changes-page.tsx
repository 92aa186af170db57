import { getRouteApi } from '@tanstack/react-router';

import { Changes } from './changes.tsx';
import type { ChangeSearch } from './search.ts';

const route = getRouteApi('/inside/changes');

/** The changes of all stores, and what belongs to none: operators, platform apps and sign-ins. */
export const AllChangesPage = () => {
  const navigate = route.useNavigate();
  return (
    <Changes
      title="All changes"
      intro="Who changed what in any store, who signed in, and what was refused? Newest first."
      search={route.useSearch()}
      go={(change) => void navigate({ search: (old) => ({ ...old, ...change }) as ChangeSearch, resetScroll: false })}
    />
  );
};
