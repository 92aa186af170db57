import { Link } from '@tanstack/react-router';

import type { Store } from '../../api/types.ts';
import { Badge, SandboxBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import { May } from '../../parts/may.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { StoreMenu, type StoreChange } from './store-menu.tsx';

export const storeColumns = (onAsk: (store: Store, what: StoreChange) => void): readonly Column<Store>[] => [
  {
    name: 'Store',
    cell: ({ id, name }) => (
      <>
        <Link to="/stores/$storeId" params={{ storeId: id }} className="clip" title={name}>
          {name}
        </Link>
        <Id value={id} short />
      </>
    ),
  },
  {
    name: 'Domain',
    cell: ({ domain }) => (
      <code className="clip" title={domain}>
        {domain}
      </code>
    ),
  },
  { name: 'Currency', kind: 'tight', cell: ({ currency }) => currency },
  {
    name: 'Status',
    kind: 'tight',
    cell: ({ status, sandboxAppId }) => (
      <>
        <Badge tone={status === 'Active' ? 'ok' : 'warn'}>{status}</Badge>
        {sandboxAppId !== null && <SandboxBadge />}
      </>
    ),
  },
  { name: 'Created', kind: 'time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: '',
    kind: 'tight',
    cell: (store) => (
      <May>
        <StoreMenu store={store} onAsk={(what) => onAsk(store, what)} />
      </May>
    ),
  },
];
