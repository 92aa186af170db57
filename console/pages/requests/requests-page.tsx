import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { useLive } from '../../api/live.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { requestsQuery } from './queries.ts';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestList } from './request-list.tsx';
import type { RequestChange, RequestSearch } from './search.ts';
import { useReadLater } from './use-read-later.ts';

const route = getRouteApi('/inside/stores/$storeId/requests');

export const RequestsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const readLater = useReadLater(storeId);
  const [isLive, setLive] = useState(true);
  const list = useQuery(requestsQuery(storeId, search));
  const state = useLive(
    storeId,
    (frames) => {
      if (frames.some(({ kind }) => kind === 'refusal' || kind === 'dropped')) readLater();
    },
    isLive,
  );
  const go = (change: RequestChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as RequestSearch, resetScroll: false });
  return (
    <Page
      title="Requests"
      intro="Why was an app request refused, and how can it be fixed? Newest first."
      actions={<LiveSwitch isOn={isLive} state={state} onChange={setLive} />}
    >
      {/* Another filter begins at its first page. */}
      <RequestFilters storeId={storeId} search={search} change={(change) => go({ after: undefined, ...change })} />
      <RequestList storeId={storeId} list={list} search={search} go={go} />
      {search.open !== undefined && <RequestDrawer requestId={search.open} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
