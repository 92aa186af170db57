import { Link } from '@tanstack/react-router';

import type { Installation } from '../../api/types.ts';
import { AppBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import type { Column } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago } from '../../parts/time.tsx';

export const appColumns = (storeId: string): readonly Column<Installation>[] => [
  {
    name: 'App',
    cell: ({ id, name, clientId }) => (
      <>
        <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: id }} className="clip" title={name}>
          {name}
        </Link>
        <Id value={clientId} short />
      </>
    ),
  },
  { name: 'Status', kind: 'tight', cell: ({ status }) => <AppBadge status={status} /> },
  { name: 'Scopes', cell: ({ scopes }) => <Tags tags={scopes} none="no scopes" most={3} /> },
  { name: 'Installed', kind: 'time', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
