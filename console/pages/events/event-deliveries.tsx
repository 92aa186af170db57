import { Link, useNavigate } from '@tanstack/react-router';

import type { EventDetail } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { errorName } from '../deliveries/words.ts';

/** As many as the event's detail has at most. */
const MOST = 250;

/** To whom an event went, and how that ended. */
export const EventDeliveries = ({ storeId, event }: { readonly storeId: string; readonly event: EventDetail }) => {
  const appName = useAppName(storeId);
  const navigate = useNavigate();
  const { id: eventId, deliveries } = event;
  if (deliveries.length === 0) {
    return <Empty title="No deliveries">No subscription listed this type at that time.</Empty>;
  }
  const searchOf = (open: string) => ({ event: eventId, open });
  return (
    <>
      <Table
        label="Deliveries of the event"
        rows={deliveries}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/stores/$storeId/deliveries', params: { storeId }, search: searchOf(id) })}
        columns={[
          { name: 'Status', kind: 'tight', cell: ({ status }) => <DeliveryBadge status={status} /> },
          {
            name: 'To',
            cell: ({ id, installationId }) => (
              <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={searchOf(id)}>
                {appName(installationId)}
              </Link>
            ),
          },
          { name: 'Attempts', kind: 'num', cell: ({ attempts }) => attempts },
          { name: 'Last error', cell: ({ error }) => <span className="mute">{errorName(error)}</span> },
        ]}
      />
      {deliveries.length === MOST && (
        <p>
          These are the newest {MOST}.{' '}
          <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ event: eventId }}>
            See all
          </Link>
        </p>
      )}
    </>
  );
};
