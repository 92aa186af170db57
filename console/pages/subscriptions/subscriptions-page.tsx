import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { CreateSubscription } from './create-subscription.tsx';
import { allSubscriptionsQuery, subscriptionsQuery } from './queries.ts';
import { MERCHANT, type SubscriptionChange, type SubscriptionSearch } from './search.ts';
import { SubscriptionFilters } from './subscription-filters.tsx';
import { SubscriptionList } from './subscription-list.tsx';
import { TestEvent } from './test-event.tsx';

const route = getRouteApi('/inside/stores/$storeId/subscriptions');

/** The server filters by text and app. For the rest, all that match these are read. */
const useList = (storeId: string, { q, app, state, after }: SubscriptionSearch) => {
  const isWhole = state !== undefined || app === MERCHANT;
  const filter = { q, installationId: app === MERCHANT ? undefined : app };
  const page = useQuery({ ...subscriptionsQuery(storeId, { ...filter, after }), enabled: !isWhole });
  const whole = useQuery({ ...allSubscriptionsQuery(storeId, filter), enabled: isWhole });
  return isWhole ? whole : page;
};

export const SubscriptionsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const list = useList(storeId, search);
  useLive(storeId, (frames) => {
    if (frames.every(({ kind }) => kind !== 'attempt' && kind !== 'dropped')) return;
    for (const name of ['subscriptions', 'deliveries']) {
      void queries.invalidateQueries({ queryKey: [name, storeId] }, { cancelRefetch: false });
    }
  });
  const go = (change: SubscriptionChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as SubscriptionSearch, resetScroll: false });
  return (
    <Page
      title="Subscriptions"
      intro="Who receives events, and does it work?"
      actions={
        <May>
          {!isPortal && <TestEvent storeId={storeId} />}
          <CreateSubscription storeId={storeId} />
        </May>
      }
    >
      <SubscriptionFilters storeId={storeId} search={search} change={(change) => go({ after: undefined, ...change })} />
      {list.isPending && <Skeleton lines={8} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && <SubscriptionList storeId={storeId} list={list.data} search={search} go={go} />}
    </Page>
  );
};
