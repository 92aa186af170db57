import type { WatchedSubscription } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton, Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/page.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Time } from '../../parts/time.tsx';
import { Cause } from '../events/cause.tsx';
import { LatestDeliveries } from './latest-deliveries.tsx';
import { Obstacles } from './obstacles.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { receiverName } from '../../../src/domain/webhooks/receiver.ts';
import { stateOf } from './words.ts';

interface OneProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
}

const Detail = ({ storeId, subscription, onClose }: OneProps & { readonly onClose: () => void }) => {
  const { id, url, eventTypes, installationId, createdAt } = subscription;
  const { name, tone } = stateOf(subscription);
  return (
    <>
      <div className="secret">
        <code>{url}</code>
        <CopyButton text={url} what="the address" />
      </div>
      <div className="row">
        <Badge tone={tone}>{name}</Badge>
      </div>
      <Obstacles storeId={storeId} subscription={subscription} />
      <SubscriptionActions storeId={storeId} subscription={subscription} onDeleted={onClose} />
      <Facts
        facts={[
          ['Owner', <Cause key="a" storeId={storeId} installationId={installationId} />],
          ['Events', <Tags key="e" tags={eventTypes} none="none" />],
          ['Created', <Time key="c" at={createdAt} />],
          ['Subscription', <Id key="i" value={id} />],
        ]}
      />
      <LatestDeliveries storeId={storeId} subscriptionId={id} />
    </>
  );
};

interface DrawerProps {
  readonly storeId: string;
  /** Undefined when it was removed meanwhile. */
  readonly subscription: WatchedSubscription | undefined;
  readonly onClose: () => void;
}

/** One subscription: why nothing is sent to it, what was sent last, and what you can do. */
export const SubscriptionDrawer = ({ storeId, subscription, onClose }: DrawerProps) => (
  <Dialog kind="drawer" title={subscription ? receiverName(subscription) : 'Subscription'} onClose={onClose}>
    {subscription ? (
      <Detail storeId={storeId} subscription={subscription} onClose={onClose} />
    ) : (
      <Empty title="This subscription does not exist">It was deleted, or its app was uninstalled.</Empty>
    )}
  </Dialog>
);
