import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { DeliveryBadge } from '../../parts/badge.tsx';
import { Claim, Found } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { errorName } from '../deliveries/words.ts';
import { latestDeliveriesQuery } from './queries.ts';

interface LatestProps {
  readonly storeId: string;
  /** Limits the list to this subscription. */
  readonly subscriptionId?: string;
}

/** Lists the latest deliveries of the subscription: a ping appears here at once. */
export const LatestDeliveries = ({ storeId, subscriptionId }: LatestProps) => {
  const latest = useQuery(latestDeliveriesQuery(storeId, subscriptionId));
  return (
    <Panel
      title="Latest deliveries"
      isFlush
      actions={
        <Link
          to="/stores/$storeId/deliveries"
          params={{ storeId }}
          search={subscriptionId === undefined ? {} : { subscription: subscriptionId }}
          className="button small"
        >
          All deliveries
        </Link>
      }
    >
      <Found query={latest}>
        {({ items }) =>
          items.length === 0 ? (
            <Claim>
              <p className="body mute">None yet. Send a ping to try the receiver.</p>
            </Claim>
          ) : (
            <ul className="lines">
              {items.map(({ id, status, waitingBecause, eventType, error, createdAt }) => (
                <li key={id}>
                  <DeliveryBadge status={status} waitingBecause={waitingBecause} />
                  <span className="grow">
                    <Link
                      to="/stores/$storeId/deliveries"
                      params={{ storeId }}
                      search={{ ...(subscriptionId !== undefined && { subscription: subscriptionId }), open: id }}
                    >
                      {eventType}
                    </Link>{' '}
                    <span className="mute">{errorName(error)}</span>
                  </span>
                  <span className="mute">
                    <Ago at={createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Found>
    </Panel>
  );
};
