import { Link } from '@tanstack/react-router';

import type { WatchedSubscription } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { None, type Column } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago, Countdown } from '../../parts/time.tsx';
import { EVENT_ADDRESS } from './owner.tsx';
import { receiverName } from '../../../src/adapters/http/console/shared.ts';
import { stateOf } from './words.ts';

export const subscriptionColumns = (
  storeId: string,
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
          <Link
            to="/stores/$storeId/subscriptions/$subscriptionId"
            params={{ storeId, subscriptionId: id }}
            className="clip"
            title={url}
          >
            {name}
          </Link>
          {name === description?.trim() && (
            <span className="clip mute" title={url}>
              {url.replace(/^https:\/\//, '')}
            </span>
          )}
        </>
      );
    },
  },
  {
    name: 'Owner',
    cell: ({ installationId, platformAppId }) => (
      <span className="clip">{platformAppId === null ? appName(installationId) : EVENT_ADDRESS}</span>
    ),
  },
  { name: 'Events', cell: ({ eventTypes }) => <Tags tags={eventTypes} none="none" most={1} /> },
  {
    name: 'Failing since',
    kind: 'time',
    cell: ({ health: { failingSince, nextProbeAt } }) =>
      failingSince === null ? (
        <None />
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
