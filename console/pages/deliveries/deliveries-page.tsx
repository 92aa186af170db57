import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { useLive } from '../../api/live.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { deliveriesQuery } from './queries.ts';
import { RedeliverAll } from './redeliver-all.tsx';
import type { DeliverySearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/deliveries');

type Change = { readonly [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

export const DeliveriesPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [isLive, setLive] = useState(true);
  const list = useQuery(deliveriesQuery(storeId, search));
  const state = useLive(
    storeId,
    (frames) => {
      if (frames.every(({ kind }) => kind !== 'event' && kind !== 'attempt')) return;
      // Not a second request while one is under way: events come faster than pages.
      void queries.invalidateQueries({ queryKey: ['deliveries', storeId] }, { cancelRefetch: false });
      void queries.invalidateQueries({ queryKey: ['delivery', search.open] }, { cancelRefetch: false });
    },
    isLive,
  );
  const go = (change: Change): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as DeliverySearch, resetScroll: false });
  return (
    <Page
      title="Deliveries"
      intro="Did the event go out, and what did the receiver say? The newest first."
      actions={
        <>
          <LiveSwitch isOn={isLive} state={state} onChange={setLive} />
          <RedeliverAll storeId={storeId} search={search} />
        </>
      }
    >
      {/* Another filter begins at its first page. */}
      <DeliveryFilters storeId={storeId} search={search} change={(change) => go({ after: undefined, ...change })} />
      <DeliveryList storeId={storeId} list={list} search={search} go={go} />
      {search.open !== undefined && <DeliveryDrawer deliveryId={search.open} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
