import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
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
  const list = useList(storeId, search);
  useReread({
    storeId,
    concerns: ({ kind }) => kind === 'attempt',
    keys: [
      ['subscriptions', storeId],
      ['deliveries', storeId],
    ],
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
      <Found query={list} lines={8}>
        {(page) => <SubscriptionList storeId={storeId} list={page} search={search} go={go} />}
      </Found>
    </Page>
  );
};
