import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import type { DeliverySearch } from './search.ts';
import { ReceiverName } from '../subscriptions/receiver-name.tsx';
import { LastError } from './last-error.tsx';
import { WHY_WAITING } from '../../../src/domain/webhooks/why-waiting.ts';

/** When a delivery is tried next, or why it waits. */
const Next = ({ delivery: { status, waitingBecause, nextAttemptAt } }: { readonly delivery: Delivery }) => {
  if (waitingBecause !== null) return <span className="mute">{WHY_WAITING[waitingBecause].name}</span>;
  if (status !== 'Retrying' || nextAttemptAt === null) return <span className="mute">–</span>;
  return <Ago at={nextAttemptAt} />;
};

/** The columns of a list of deliveries. `search` is kept when one is opened. */
export const deliveryColumns = (storeId: string, search: DeliverySearch): readonly Column<Delivery>[] => [
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
            <Id value={resourceId} short />
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
    name: 'Last error',
    cell: ({ error, responseStatus }) => <LastError error={error} status={responseStatus} />,
  },
  { name: 'Next', cell: (delivery) => <Next delivery={delivery} /> },
  { name: 'Created', kind: 'tight', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
