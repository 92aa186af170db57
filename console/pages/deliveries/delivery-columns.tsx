import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Resource } from '../../parts/resource.tsx';
import { None, type Column } from '../../parts/table.tsx';
import { Ago, Due } from '../../parts/time.tsx';
import type { DeliverySearch } from './search.ts';
import { ReceiverName } from '../subscriptions/receiver-name.tsx';
import { LastAnswer } from './last-answer.tsx';
import { WHY_WAITING } from '../../../src/adapters/http/console/shared.ts';

/** When a delivery is tried next, or why it waits. */
const Next = ({ delivery: { status, waitingBecause, nextAttemptAt } }: { readonly delivery: Delivery }) => {
  if (waitingBecause !== null) return <span className="mute why">{WHY_WAITING[waitingBecause].name}</span>;
  if (status !== 'Retrying' || nextAttemptAt === null) return <None />;
  return (
    <span className="nowrap">
      <Due at={nextAttemptAt} />
    </span>
  );
};

/** The columns of a list of deliveries. `search` is kept when one is opened. */
export const deliveryColumns = (
  storeId: string,
  search: DeliverySearch,
  productName: (id: string | null) => string | undefined,
): readonly Column<Delivery>[] => [
  {
    name: 'Status',
    kind: 'tight',
    cell: ({ status, waitingBecause }) => <DeliveryBadge status={status} waitingBecause={waitingBecause} />,
  },
  {
    name: 'Event',
    cell: ({ id, eventType, resourceId }) => (
      <>
        <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ ...search, open: id }} resetScroll={false}>
          {eventType}
        </Link>
        {resourceId !== null && (
          <div>
            <Resource id={resourceId} name={productName(resourceId)} />
          </div>
        )}
      </>
    ),
  },
  {
    name: 'To',
    cell: ({ receiver }) => <ReceiverName receiver={receiver} />,
  },
  { name: 'Attempts', kind: 'num', cell: ({ attempts }) => attempts },
  {
    name: 'Last answer',
    cell: (delivery) => <LastAnswer delivery={delivery} />,
  },
  { name: 'Next', cell: (delivery) => <Next delivery={delivery} /> },
  { name: 'Created', kind: 'time', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
