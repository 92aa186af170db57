import { Link } from '@tanstack/react-router';

import type { RefusedRequest } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { whyRefused } from '../../../src/domain/insight/refusals/why-refused.ts';
import type { RequestSearch } from './search.ts';

/** The columns of a list of refused requests. `search` is kept when one is opened; `appName` names the caller. */
export const requestColumns = (
  storeId: string,
  search: RequestSearch,
  appName: (id: string) => string,
): readonly Column<RefusedRequest>[] => [
  { name: 'Status', kind: 'tight', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Refused',
    cell: (request) => (
      <>
        <Link to="/stores/$storeId/requests" params={{ storeId }} search={{ ...search, open: request.id }} resetScroll={false}>
          {whyRefused(request).name}
        </Link>
        {request.leftOut > 0 && <span className="mute"> and {request.leftOut.toLocaleString()} like it</span>}
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
  { name: 'When', kind: 'tight', cell: ({ at }) => <Ago at={at} /> },
];
