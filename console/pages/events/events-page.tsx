import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { useTail } from '../../api/tail.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventList } from './event-list.tsx';
import { eventsQuery } from './queries.ts';
import type { EventChange, EventSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/events');

export const EventsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isLive, setLive] = useState(true);
  const query = eventsQuery(storeId, search);
  const list = useQuery(query);
  const { state, arrived } = useTail({
    storeId,
    isOn: isLive,
    kinds: search.open === undefined ? ['event'] : ['event', 'attempt'],
    listKey: query.queryKey,
    alsoKeys: search.open === undefined ? [] : [['event', storeId, search.open]],
  });
  const go = (change: EventChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as EventSearch, resetScroll: false });
  return (
    <Page
      title="Events"
      intro="What happened in the store, who caused it, and where was it sent? Newest first."
      actions={<LiveSwitch isOn={isLive} state={state} onChange={setLive} />}
    >
      {/* Another filter begins at its first page. */}
      <EventFilters search={search} change={(change) => go({ after: undefined, ...change })} />
      <EventList storeId={storeId} list={list} search={search} go={go} arrived={arrived} />
      {search.open !== undefined && (
        <EventDrawer storeId={storeId} eventId={search.open} onClose={() => go({ open: undefined })} />
      )}
    </Page>
  );
};
