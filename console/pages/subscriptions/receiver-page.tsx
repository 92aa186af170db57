import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { receiverName } from '../../../src/adapters/http/console/shared.ts';
import { isPortal } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { NotShown } from '../events/not-shown.tsx';
import { LatestDeliveries } from './latest-deliveries.tsx';
import { Obstacles } from './obstacles.tsx';
import { OwnReceiverActions } from './own-receiver-actions.tsx';
import { subscriptionQuery } from './queries.ts';
import { ReceiverActions } from './receiver-actions.tsx';
import { ReceiverFigures } from './receiver-figures.tsx';
import { ReceiverFacts } from './receiver-facts.tsx';
import { stateOf } from './words.ts';

const route = getRouteApi('/inside/stores/$storeId/subscriptions/$subscriptionId');

const Actions = isPortal ? OwnReceiverActions : ReceiverActions;

/** Read again after an attempt at this receiver. */
const LIVE = ['subscription', 'receiver-figures', 'deliveries'];

/** Shows the state in a word, and its beginning. */
const State = ({ subscription }: { readonly subscription: WatchedSubscription }) => {
  const { name, tone } = stateOf(subscription);
  const { deactivatedAt, pausedAt, failingSince } = subscription.health;
  const since = deactivatedAt ?? pausedAt ?? failingSince;
  return (
    <>
      <Badge tone={tone}>{name}</Badge>
      {since !== null && (
        <span className="mute">
          since <Time at={since} />
        </span>
      )}
    </>
  );
};

/** Shows a receiver: its state and since when, its answers, and your options. */
export const ReceiverPage = () => {
  const { storeId, subscriptionId } = route.useParams();
  const navigate = route.useNavigate();
  const found = useQuery(subscriptionQuery(storeId, subscriptionId));
  useReread({
    storeId,
    concerns: (frame) => frame.kind === 'attempt' && frame.subscriptionId === subscriptionId,
    keys: LIVE.map((name) => [name, storeId]),
  });
  const subscription = found.data;
  return (
    <Page
      title={subscription ? receiverName(subscription) : 'Receiver'}
      beside={subscription && <State subscription={subscription} />}
      intro={subscription && <code>{subscription.url}</code>}
      actions={
        subscription && (
          <May>
            <Actions
              storeId={storeId}
              subscription={subscription}
              onDeleted={() => void navigate({ to: '/stores/$storeId/subscriptions', params: { storeId } })}
            />
          </May>
        )
      }
    >
      <Found query={found} lines={8} failed={(error, retry) => <NotShown error={error} what="subscription" retry={retry} />}>
        {(data) => (
          <>
            <Obstacles storeId={storeId} subscription={data} />
            <ReceiverFigures storeId={storeId} subscriptionId={subscriptionId} />
            <div className="columns top">
              <ReceiverFacts storeId={storeId} subscription={data} />
              <LatestDeliveries storeId={storeId} subscriptionId={subscriptionId} />
            </div>
          </>
        )}
      </Found>
    </Page>
  );
};
