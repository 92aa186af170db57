import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestGroups, RequestList } from './request-list.tsx';
import { isOneKind, type RequestChange, type RequestSearch } from './search.ts';
import { useReadLater } from './use-read-later.ts';

const route = getRouteApi('/inside/stores/$storeId/requests');

export const RequestsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const readLater = useReadLater(storeId);
  const [isLive, setLive] = useState(true);
  const state = useLive(
    storeId,
    (frames) => {
      if (frames.some(({ kind }) => kind === 'refusal' || kind === 'dropped')) readLater();
    },
    isLive,
  );
  const go = (change: RequestChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as RequestSearch, resetScroll: false });
  const List = isOneKind(search) ? RequestList : RequestGroups;
  return (
    <Page
      title="Requests"
      intro={`Why was a request of ${isPortal ? 'your' : 'an'} app refused, and how can it be fixed? Newest first.`}
      actions={<LiveSwitch isOn={isLive} state={state} onChange={setLive} />}
    >
      {/* Another filter begins at its first page. */}
      <RequestFilters storeId={storeId} search={search} change={(change) => go({ after: undefined, ...change })} />
      <List storeId={storeId} search={search} go={go} />
      {search.open !== undefined && <RequestDrawer requestId={search.open} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
