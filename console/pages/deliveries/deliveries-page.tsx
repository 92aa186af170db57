import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { useTail } from '../../api/tail.ts';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { deliveriesQuery } from './queries.ts';
import { RedeliverAll } from './redeliver-all.tsx';
import { RedeliverChosen } from './redeliver-chosen.tsx';
import { RedeliveryProgress } from './redelivery-progress.tsx';
import type { DeliveryChange, DeliverySearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/deliveries');

const NONE: ReadonlySet<string> = new Set();

export const DeliveriesPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isLive, setLive] = useState(true);
  const [chosen, setChosen] = useState(NONE);
  const query = deliveriesQuery(storeId, search);
  const list = useQuery(query);
  // The selection is limited to the visible rows: another page or filter shows others.
  const chosenIds = (list.data?.items ?? []).map(({ id }) => id).filter((id) => chosen.has(id));
  const { state, arrived } = useTail({
    storeId,
    // Rows that are chosen do not move away.
    isOn: isLive && chosenIds.length === 0,
    kinds: ['event', 'attempt'],
    listKey: query.queryKey,
    alsoKeys: search.open === undefined ? [] : [['delivery', search.open]],
  });
  const go = (change: DeliveryChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as DeliverySearch, resetScroll: false });
  return (
    <Page
      title="Deliveries"
      intro="Was the event sent, and what did the receiver answer? Newest first."
      actions={
        <>
          <LiveSwitch isOn={isLive} state={state} hold={chosenIds.length > 0} onChange={setLive} />
          <May>
            <RedeliverAll storeId={storeId} search={search} onBegun={(redelivery) => go({ redelivery })} />
          </May>
        </>
      }
    >
      {search.redelivery !== undefined && (
        <RedeliveryProgress redeliveryId={search.redelivery} onClose={() => go({ redelivery: undefined })} />
      )}
      {/* Another filter begins at its first page. */}
      <DeliveryFilters storeId={storeId} search={search} change={(change) => go({ after: undefined, ...change })} />
      <DeliveryList storeId={storeId} list={list} search={search} go={go} arrived={arrived} chosen={chosen} choose={setChosen} />
      {chosenIds.length > 0 && (
        <May>
          <RedeliverChosen
            storeId={storeId}
            ids={chosenIds}
            onDone={(sent) => setChosen((now) => new Set([...now].filter((id) => !sent.includes(id))))}
          />
        </May>
      )}
      {search.open !== undefined && (
        <DeliveryDrawer storeId={storeId} deliveryId={search.open} onClose={() => go({ open: undefined })} />
      )}
    </Page>
  );
};
