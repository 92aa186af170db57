import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Cause, CausingRequest } from '../events/cause.tsx';
import { REMOVED } from '../subscriptions/receiver-name.tsx';
import { plural } from '../../parts/plural.ts';

interface FactsProps {
  readonly storeId: string;
  readonly delivery: Delivery;
}

/** The receiver, which leads to its subscription while there is one. */
const To = ({ storeId, delivery: { receiver, subscriptionId } }: FactsProps) => {
  if (receiver.url === null) return <span className="mute">{REMOVED}</span>;
  return (
    <>
      <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={{ open: subscriptionId }}>
        {receiver.name}
      </Link>
      <div className="mute break">{receiver.url}</div>
    </>
  );
};

const Gathered = ({ events }: { readonly events: number }) => (
  <>
    {plural(events, 'event')} <span className="mute">with this one as the newest</span>
  </>
);

/** Facts of a delivery, with links. */
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
      ...(delivery.gathered === null ? [] : [['Gathered', <Gathered key="gathered" events={delivery.gathered} />] as const]),
      ['About', delivery.resourceId === null ? 'no resource' : <Id key="resource" value={delivery.resourceId} />],
      ['Caused by request', <CausingRequest key="request" storeId={storeId} requestId={delivery.requestId} />],
      ['To', <To key="to" storeId={storeId} delivery={delivery} />],
      ['Owner', <Cause key="owner" storeId={storeId} installationId={delivery.installationId} />],
      ['Created', <Time key="created" at={delivery.createdAt} />],
    ]}
  />
);
