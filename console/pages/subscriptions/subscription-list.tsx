import { useNavigate } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import type { SubscriptionPage } from './queries.ts';
import { isFiltered, MERCHANT, type SubscriptionChange, type SubscriptionSearch } from './search.ts';
import { subscriptionColumns } from './subscription-columns.tsx';
import { needsAttention } from './words.ts';
import { ListPager } from '../../parts/list-pager.tsx';

/** Filters the list, and puts subscriptions that need attention first. */
const matching = (
  subscriptions: readonly WatchedSubscription[],
  { app, state }: SubscriptionSearch,
): readonly WatchedSubscription[] =>
  subscriptions
    .filter(({ installationId }) => app === undefined || (installationId ?? MERCHANT) === app)
    .filter((one) => state === undefined || needsAttention(one) === (state === 'attention'))
    .sort((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)));

/** An app sees its own subscriptions alone. */
const MERCHANT_COLUMNS: ReadonlySet<string> = new Set(['Owner']);

const NoSubscription = ({ hasFilter }: { readonly hasFilter: boolean }) => {
  if (hasFilter) return <Empty title="No subscription matches">Change or clear the filter.</Empty>;
  return (
    <Empty title="No subscriptions yet">
      {isPortal
        ? 'Create one here or with POST /apps/webhooks/subscriptions. It receives the events that the app may see.'
        : 'Apps create their own with POST /apps/webhooks/subscriptions. Create one here to receive events yourself.'}
    </Empty>
  );
};

interface ListProps {
  readonly storeId: string;
  readonly list: SubscriptionPage;
  readonly search: SubscriptionSearch;
  readonly go: (change: SubscriptionChange) => void;
}

/** A page of the subscriptions that match, or why there is none. */
export const SubscriptionList = ({ storeId, list: { items, total, next }, search, go }: ListProps) => {
  const navigate = useNavigate();
  const shown = matching(items, search);
  const appName = useAppName(
    storeId,
    shown.map(({ installationId }) => installationId),
  );
  return (
    <>
      {shown.length === 0 ? (
        <div className="panel">
          <NoSubscription hasFilter={isFiltered(search)} />
        </div>
      ) : (
        <Table
          label="Subscriptions"
          columns={subscriptionColumns(storeId, appName).filter(({ name }) => !isPortal || !MERCHANT_COLUMNS.has(name))}
          rows={shown}
          keyOf={({ id }) => id}
          onOpen={({ id }) =>
            void navigate({ to: '/stores/$storeId/subscriptions/$subscriptionId', params: { storeId, subscriptionId: id } })
          }
        />
      )}
      {(search.after !== undefined || next !== null) && (
        <ListPager
          items={shown}
          total={total}
          one="subscription"
          after={search.after}
          next={next}
          onPage={(after) => go({ after })}
        />
      )}
    </>
  );
};
