import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import type { DeliverySearch } from './search.ts';
import { errorName } from './words.ts';

/** When a delivery is tried next. One that is held waits for something else than its time. */
const NextAttempt = ({ delivery: { status, nextAttemptAt } }: { readonly delivery: Delivery }) => {
  if (nextAttemptAt === null) return <span className="mute">none</span>;
  return status === 'Held' ? <span className="mute">on hold</span> : <Ago at={nextAttemptAt} />;
};

/** The columns of a list of deliveries. `search` is kept when one is opened; `appName` names the receiver. */
export const deliveryColumns = (
  storeId: string,
  search: DeliverySearch,
  appName: (id: string | null) => string,
): readonly Column<Delivery>[] => [
  { name: 'Status', kind: 'tight', cell: ({ status }) => <DeliveryBadge status={status} /> },
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
    cell: ({ installationId }) => (
      <span className="clip" style={{ maxWidth: '20ch' }} title={appName(installationId)}>
        {appName(installationId)}
      </span>
    ),
  },
  { name: 'Attempts', kind: 'num', cell: ({ attempts }) => attempts },
  {
    name: 'Last error',
    cell: ({ error }) => (
      <span className="clip mute" style={{ maxWidth: '20ch' }} title={errorName(error)}>
        {errorName(error)}
      </span>
    ),
  },
  { name: 'Next', kind: 'tight', cell: (delivery) => <NextAttempt delivery={delivery} /> },
  { name: 'Created', kind: 'tight', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
