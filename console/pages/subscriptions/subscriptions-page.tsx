import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { CreateSubscription } from './create-subscription.tsx';
import { subscriptionsQuery } from './queries.ts';
import { MERCHANT, type SubscriptionSearch } from './search.ts';
import { subscriptionColumns } from './subscription-columns.tsx';
import { SubscriptionDrawer } from './subscription-drawer.tsx';
import { SubscriptionFilters } from './subscription-filters.tsx';
import { TestEvent } from './test-event.tsx';
import { needsAttention } from './words.ts';

const route = getRouteApi('/inside/stores/$storeId/subscriptions');

/** Those that match, with those that somebody should look at first. */
const matching = (
  subscriptions: readonly WatchedSubscription[],
  { q = '', app, state }: SubscriptionSearch,
): readonly WatchedSubscription[] =>
  subscriptions
    .filter(({ url, description }) => `${url} ${description ?? ''}`.toLowerCase().includes(q.toLowerCase()))
    .filter(({ installationId }) => app === undefined || (installationId ?? MERCHANT) === app)
    .filter((one) => state === undefined || needsAttention(one) === (state === 'attention'))
    .sort((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)));

/** An app sees its own subscriptions alone, without their health. */
const MERCHANT_COLUMNS: ReadonlySet<string> = new Set(['Owner', 'Failing since']);

const NoSubscription = ({ hasAny }: { readonly hasAny: boolean }) => {
  if (hasAny) return <Empty title="No subscription matches">Change or clear the filter.</Empty>;
  return (
    <Empty title="No subscriptions yet">
      {isPortal
        ? 'Create one here or with POST /apps/webhooks/subscriptions. It receives the events that the app may see.'
        : 'Apps create their own with POST /apps/webhooks/subscriptions. Create one here to receive events yourself.'}
    </Empty>
  );
};

export const SubscriptionsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const appName = useAppName(storeId);
  const list = useQuery(subscriptionsQuery(storeId));
  useLive(storeId, (frames) => {
    if (frames.every(({ kind }) => kind !== 'attempt' && kind !== 'dropped')) return;
    for (const name of ['subscriptions', 'deliveries']) {
      void queries.invalidateQueries({ queryKey: [name, storeId] }, { cancelRefetch: false });
    }
  });
  const go = (change: { readonly [K in keyof SubscriptionSearch]?: SubscriptionSearch[K] | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as SubscriptionSearch, resetScroll: false });
  const shown = matching(list.data ?? [], search);
  return (
    <Page
      title="Subscriptions"
      intro="Who receives events, and does it work?"
      actions={
        <>
          {!isPortal && <TestEvent storeId={storeId} />}
          <CreateSubscription storeId={storeId} />
        </>
      }
    >
      {!isPortal && <SubscriptionFilters storeId={storeId} search={search} change={go} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && shown.length === 0 && (
        <div className="panel">
          <NoSubscription hasAny={list.data.length > 0} />
        </div>
      )}
      {shown.length > 0 && (
        <Table
          label="Subscriptions"
          columns={subscriptionColumns(storeId, search, appName).filter(({ name }) => !isPortal || !MERCHANT_COLUMNS.has(name))}
          rows={shown}
          keyOf={({ id }) => id}
          openKey={search.open}
          onOpen={({ id }) =>
            isPortal
              ? go({ open: id })
              : void navigate({ to: '/stores/$storeId/subscriptions/$subscriptionId', params: { storeId, subscriptionId: id } })
          }
        />
      )}
      {search.open !== undefined && list.data !== undefined && (
        <SubscriptionDrawer
          storeId={storeId}
          subscription={list.data.find(({ id }) => id === search.open)}
          onClose={() => go({ open: undefined })}
        />
      )}
    </Page>
  );
};
