import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import type { DeliverySearch } from './search.ts';
import { errorName } from './words.ts';

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
  { name: 'To', cell: ({ installationId }) => <span className="clip">{appName(installationId)}</span> },
  { name: 'Attempts', kind: 'num', cell: ({ attempts }) => attempts },
  { name: 'Last error', cell: ({ error }) => <span className="mute">{errorName(error)}</span> },
  {
    name: 'Next attempt',
    kind: 'tight',
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? <span className="mute">none</span> : <Ago at={nextAttemptAt} />),
  },
  { name: 'Created', kind: 'tight', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
