import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestGroups, RequestList } from './request-list.tsx';
import { isOneKind, type RequestChange, type RequestSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/requests');

/** The log has a refusal about a second after the live stream. */
const WRITTEN_MS = 1_500;

export const RequestsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isLive, setLive] = useState(true);
  const state = useReread({
    storeId,
    isOn: isLive,
    concerns: ({ kind }) => kind === 'refusal',
    keys: [['requests', storeId]],
    everyMs: WRITTEN_MS,
  });
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
