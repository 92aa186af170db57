import { Link } from '@tanstack/react-router';

import type { FeedEvent } from '../../api/types.ts';
import { Resource } from '../../parts/resource.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { resourceOf } from './queries.ts';
import type { EventSearch } from './search.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const changed = (fields: unknown): string =>
  Array.isArray(fields) ? fields.filter((field) => typeof field === 'string').join(', ') : '';

/** The app that caused it. Null is the merchant. */
export const originOf = ({ data }: FeedEvent): string | null => textOf(data['origin']);

/** The columns of a list of events. `search` is kept when one is opened; `appName` names who caused it. */
export const eventColumns = (
  storeId: string,
  search: EventSearch,
  appName: (id: string | null) => string,
  productName: (id: string | null) => string | undefined,
): readonly Column<FeedEvent>[] => [
  {
    name: 'Type',
    cell: ({ id, type }) => (
      <Link to="/stores/$storeId/events" params={{ storeId }} search={{ ...search, open: id }} resetScroll={false}>
        {type}
      </Link>
    ),
  },
  {
    name: 'About',
    cell: ({ data }) => {
      const id = resourceOf({ data });
      return id === null ? <span className="mute">no resource</span> : <Resource id={id} name={productName(id)} />;
    },
  },
  { name: 'Changed', cell: ({ data }) => <span className="clip mute">{changed(data['changedFields'])}</span> },
  {
    name: 'By',
    cell: (event) => (
      <span className="clip" style={{ maxWidth: '24ch' }}>
        {appName(originOf(event))}
      </span>
    ),
  },
  { name: 'When', kind: 'tight', cell: ({ timestamp }) => <Ago at={timestamp} /> },
];
