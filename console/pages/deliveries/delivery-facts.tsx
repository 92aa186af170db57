import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Cause, CausingRequest } from '../events/cause.tsx';

interface FactsProps {
  readonly storeId: string;
  readonly delivery: Delivery;
}

/** What belongs to a delivery, each with the way there. */
export const DeliveryFacts = ({ storeId, delivery }: FactsProps) => (
  <Facts
    facts={[
      ['Delivery', <Id key="delivery" value={delivery.id} />],
      [
        'Event',
        <Link key="event" className="mono" to="/stores/$storeId/events" params={{ storeId }} search={{ open: delivery.eventId }}>
          {delivery.eventId}
        </Link>,
      ],
      ['About', delivery.resourceId === null ? 'no resource' : <Id key="resource" value={delivery.resourceId} />],
      ['Caused by request', <CausingRequest key="request" storeId={storeId} requestId={delivery.requestId} />],
      ['To', <Cause key="to" storeId={storeId} installationId={delivery.installationId} />],
      [
        'Subscription',
        <Link
          key="subscription"
          className="mono"
          to="/stores/$storeId/subscriptions"
          params={{ storeId }}
          search={{ open: delivery.subscriptionId }}
        >
          {delivery.subscriptionId}
        </Link>,
      ],
      ['Created', <Time key="created" at={delivery.createdAt} />],
    ]}
  />
);
