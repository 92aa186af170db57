import { useQuery } from '@tanstack/react-query';

import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Found } from '../../parts/found.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Cause, CausingRequest } from './cause.tsx';
import { EventBody } from './event-body.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { NotShown } from './not-shown.tsx';
import { eventQuery } from './queries.ts';

interface DrawerProps {
  readonly storeId: string;
  readonly eventId: string;
  readonly onClose: () => void;
}

/** Shows an event: its cause, its deliveries and its body. */
export const EventDrawer = ({ storeId, eventId, onClose }: DrawerProps) => {
  const found = useQuery(eventQuery(storeId, eventId));
  return (
    <Dialog kind="drawer" title={found.data?.type ?? 'Event'} onClose={onClose}>
      <Found query={found} lines={6} failed={(error, retry) => <NotShown error={error} what="event" retry={retry} />}>
        {(event) => (
          <>
            <Facts
              facts={[
                ['Event', <Id key="event" value={event.id} />],
                ['About', event.resourceId === null ? 'no resource' : <Id key="resource" value={event.resourceId} />],
                ['Caused by', <Cause key="cause" storeId={storeId} installationId={event.installationId} />],
                ['Request', <CausingRequest key="request" storeId={storeId} requestId={event.requestId} />],
                ['When', <Time key="when" at={event.timestamp} />],
              ]}
            />
            <section className="stack">
              <h3>Deliveries</h3>
              <EventDeliveries storeId={storeId} event={event} />
            </section>
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
