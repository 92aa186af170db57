import { Link } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago, Countdown } from '../../parts/time.tsx';
import type { SubscriptionSearch } from './search.ts';
import { receiverName } from '../../../src/domain/webhooks/receiver.ts';
import { stateOf } from './words.ts';

/** The columns of a list of subscriptions. `search` is kept when one is opened. */
export const subscriptionColumns = (
  storeId: string,
  search: SubscriptionSearch,
  appName: (id: string | null) => string,
): readonly Column<WatchedSubscription>[] => [
  {
    name: 'State',
    kind: 'tight',
    cell: (subscription) => {
      const { name, tone } = stateOf(subscription);
      return <Badge tone={tone}>{name}</Badge>;
    },
  },
  {
    name: 'Receiver',
    cell: ({ id, url, description }) => {
      const name = receiverName({ url, description });
      return (
        <>
          {isPortal ? (
            <Link
              to="/stores/$storeId/subscriptions"
              params={{ storeId }}
              search={{ ...search, open: id }}
              resetScroll={false}
              className="clip"
              title={url}
            >
              {name}
            </Link>
          ) : (
            <Link
              to="/stores/$storeId/subscriptions/$subscriptionId"
              params={{ storeId, subscriptionId: id }}
              className="clip"
              title={url}
            >
              {name}
            </Link>
          )}
          {name === description?.trim() && (
            <span className="clip mute" title={url}>
              {url.replace(/^https:\/\//, '')}
            </span>
          )}
        </>
      );
    },
  },
  { name: 'Owner', cell: ({ installationId }) => <span className="clip">{appName(installationId)}</span> },
  { name: 'Events', cell: ({ eventTypes }) => <Tags tags={eventTypes} none="none" most={1} /> },
  {
    name: 'Failing since',
    kind: 'tight',
    cell: ({ health: { failingSince, nextProbeAt } }) =>
      failingSince === null ? (
        <span className="mute">–</span>
      ) : (
        <>
          <Ago at={failingSince} />
          {nextProbeAt !== null && (
            <div className="mute">
              next probe: <Countdown to={nextProbeAt} done="due" />
            </div>
          )}
        </>
      ),
  },
];
