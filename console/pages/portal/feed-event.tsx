import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Found } from '../../parts/found.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { EventBody } from '../events/event-body.tsx';
import { sentEventQuery } from '../events/queries.ts';

interface FeedEventProps {
  readonly storeId: string;
  readonly eventId: string;
  readonly onClose: () => void;
}

/** An event in the form that the app gets. */
export const FeedEvent = ({ storeId, eventId, onClose }: FeedEventProps) => {
  const found = useQuery(sentEventQuery(storeId, eventId));
  return (
    <Dialog kind="drawer" title={found.data?.type ?? 'Event'} onClose={onClose}>
      <Found query={found} lines={6}>
        {(event) => (
          <>
            <Facts
              facts={[
                ['Event', <Id key="event" value={event.id} />],
                ['About', event.resourceId === null ? 'no resource' : <Id key="resource" value={event.resourceId} />],
                ['When', <Time key="when" at={event.timestamp} />],
                [
                  'Deliveries',
                  <Link key="deliveries" to="/stores/$storeId/deliveries" params={{ storeId }} search={{ event: event.id }}>
                    To your app
                  </Link>,
                ],
              ]}
            />
            <section className="stack">
              <h3>Body</h3>
              <EventBody event={event} />
            </section>
          </>
        )}
      </Found>
    </Dialog>
  );
};
