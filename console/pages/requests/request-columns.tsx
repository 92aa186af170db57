import { Link } from '@tanstack/react-router';

import { StatusBadge } from '../../parts/badge.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { whyRefused } from '../../../src/adapters/http/console/shared.ts';
import type { RequestRow } from './request-row.ts';
import type { RequestSearch } from './search.ts';

/** By what the list has only requests like this one. */
const kindOf = ({ installationId, status, route, check, reason }: RequestRow) => ({
  ...(installationId !== null && { app: installationId }),
  status: String(status),
  route,
  check,
  reason,
});

/** The columns of a list of refused requests. `search` is kept when one is opened; `appName` names the caller. */
export const requestColumns = (
  storeId: string,
  search: RequestSearch,
  appName: (id: string) => string,
): readonly Column<RequestRow>[] => [
  { name: 'Status', kind: 'tight', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Refused',
    cell: (request) => (
      <>
        <Link to="/stores/$storeId/requests" params={{ storeId }} search={{ ...search, open: request.id }} resetScroll={false}>
          {whyRefused(request).name}
        </Link>
        {request.alike > 0 && (
          <span className="mute">
            {' and '}
            <Link
              to="/stores/$storeId/requests"
              params={{ storeId }}
              search={{ ...kindOf(request), ...(search.since !== undefined && { since: search.since }) }}
            >
              {request.alike.toLocaleString()} like it
            </Link>
          </span>
        )}
        <div>
          <code className="mute nowrap">{request.route}</code>
        </div>
      </>
    ),
  },
  { name: 'Check', kind: 'tight', cell: ({ check }) => <span className="tag">{check}</span> },
  {
    name: 'App',
    cell: ({ installationId }) =>
      installationId === null ? (
        <span className="mute">not known</span>
      ) : (
        <span className="clip" style={{ maxWidth: '24ch' }} title={appName(installationId)}>
          {appName(installationId)}
        </span>
      ),
  },
  {
    name: 'Over time',
    kind: 'tight',
    cell: ({ trend, alike }) => trend && <Sparkline values={trend} label={`${String(alike + 1)} over time`} />,
  },
  {
    name: 'When',
    kind: 'tight',
    cell: ({ at, since }) => (
      <>
        <Ago at={at} />
        {since !== at && (
          <div className="mute">
            first <Ago at={since} />
          </div>
        )}
      </>
    ),
  },
];
