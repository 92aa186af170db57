import { Link, useNavigate } from '@tanstack/react-router';

import type { EventDetail } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Table } from '../../parts/table.tsx';
import { LastAnswer } from '../deliveries/last-answer.tsx';
import { ReceiverName } from '../subscriptions/receiver-name.tsx';

/** Equals the limit of the event's detail. */
const MOST = 250;

/** The subscriptions whose filters stopped the event. */
const NotSent = ({ notSent }: Pick<EventDetail, 'notSent'>) => (
  <Table
    label="Not sent"
    rows={notSent}
    keyOf={({ subscriptionId }) => subscriptionId}
    columns={[
      { name: 'Not sent', kind: 'tight', cell: () => 'filter' },
      { name: 'To', cell: ({ receiver }) => <ReceiverName receiver={receiver} /> },
      {
        name: 'Stopped by',
        cell: ({ number, condition }) => (
          <>
            Condition {number}: <code>{JSON.stringify(condition)}</code>
          </>
        ),
      },
    ]}
  />
);

interface GatheredProps extends Pick<EventDetail, 'gatheredInto'> {
  readonly storeId: string;
}

/** The deliveries of later events that have this one too. */
const GatheredInto = ({ storeId, gatheredInto }: GatheredProps) => (
  <Table
    label="Gathered"
    rows={gatheredInto}
    keyOf={({ id }) => id}
    columns={[
      {
        name: 'Gathered into',
        kind: 'tight',
        cell: ({ status, waitingBecause }) => <DeliveryBadge status={status} waitingBecause={waitingBecause} />,
      },
      {
        name: 'To',
        cell: ({ id, receiver, eventId }) => (
          <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ event: eventId, open: id }}>
            <ReceiverName receiver={receiver} />
          </Link>
        ),
      },
      { name: 'Events', kind: 'num', cell: ({ gathered }) => gathered },
    ]}
  />
);

/** To whom an event went, and how that ended. */
export const EventDeliveries = ({ storeId, event }: { readonly storeId: string; readonly event: EventDetail }) => {
  const navigate = useNavigate();
  const { id: eventId, deliveries, gatheredInto, notSent } = event;
  if (deliveries.length === 0 && gatheredInto.length === 0 && notSent.length === 0) {
    return <Empty title="No deliveries">No subscription listed this type at that time.</Empty>;
  }
  const searchOf = (open: string) => ({ event: eventId, open });
  return (
    <>
      {deliveries.length > 0 && (
        <Table
          label="Deliveries of the event"
          rows={deliveries}
          keyOf={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/stores/$storeId/deliveries', params: { storeId }, search: searchOf(id) })}
          columns={[
            {
              name: 'Status',
              kind: 'tight',
              cell: ({ status, waitingBecause }) => <DeliveryBadge status={status} waitingBecause={waitingBecause} />,
            },
            {
              name: 'To',
              cell: ({ id, receiver }) => (
                <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={searchOf(id)}>
                  <ReceiverName receiver={receiver} />
                </Link>
              ),
            },
            { name: 'Attempts', kind: 'num', cell: ({ attempts }) => attempts },
            { name: 'Last answer', cell: (delivery) => <LastAnswer delivery={delivery} /> },
          ]}
        />
      )}
      {gatheredInto.length > 0 && <GatheredInto storeId={storeId} gatheredInto={gatheredInto} />}
      {notSent.length > 0 && <NotSent notSent={notSent} />}
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
