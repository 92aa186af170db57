import type { ReactNode } from 'react';

import type { FeedPage } from '../../api/types.ts';
import { Pager, Table } from '../../parts/table.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { useProductNames } from '../products/use-product-names.ts';
import { eventColumns, originOf } from './event-columns.tsx';
import { resourceOf } from './queries.ts';
import type { EventChange, EventSearch } from './search.ts';
import { onThisPage } from '../../parts/plural.ts';

interface EventTableProps {
  readonly storeId: string;
  readonly page: FeedPage;
  readonly search: EventSearch;
  readonly go: (change: EventChange) => void;
  readonly arrived?: ReadonlySet<string>;
  /** In place of the rows where there are none. */
  readonly empty: ReactNode;
  /** Names of the links to the first page and to the next. */
  readonly names?: { readonly first: string; readonly next: string };
}

const NEWEST_FIRST = { first: 'Newest', next: 'Older' };

/** A page of events, in either order. */
export const EventTable = ({ storeId, page, search, go, arrived, empty, names = NEWEST_FIRST }: EventTableProps) => {
  const { items, next, more } = page;
  const appName = useAppName(storeId, items.map(originOf));
  const productName = useProductNames(
    storeId,
    items.map((event) => ({ type: event.type, resourceId: resourceOf(event) })),
  );
  return (
    <>
      {items.length === 0 ? (
        <div className="panel">{empty}</div>
      ) : (
        <Table
          label="Events"
          columns={eventColumns(storeId, search, appName, productName)}
          rows={items}
          keyOf={({ id }) => id}
          openKey={search.open}
          onOpen={({ id }) => go({ open: id })}
          {...(arrived && { arrived })}
        />
      )}
      <Pager
        {...names}
        shown={onThisPage(items, 'event')}
        onFirst={search.after === undefined ? null : () => go({ after: undefined })}
        onNext={more ? () => go({ after: next }) : null}
      />
    </>
  );
};
