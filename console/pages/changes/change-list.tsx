import { Link } from '@tanstack/react-router';

import type { AuditedChange, AuditPage } from '../../api/types.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Pager, Table, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import type { ChangeSearch } from './search.ts';
import { WAY } from './words.ts';
import { onThisPage } from '../../parts/plural.ts';

const columns = (storeId: string, search: ChangeSearch): readonly Column<AuditedChange>[] => [
  {
    name: 'Change',
    cell: ({ id, what }) => (
      <Link to="/stores/$storeId/changes" params={{ storeId }} search={{ ...search, open: id }} resetScroll={false}>
        {what}
      </Link>
    ),
  },
  { name: 'By', cell: ({ operator }) => <span className="clip">{operator}</span> },
  { name: 'Over', kind: 'tight', cell: ({ way }) => WAY[way] },
  {
    name: 'Result',
    kind: 'tight',
    cell: ({ outcome }) => (outcome === null ? <Badge tone="warn">not known</Badge> : <StatusBadge status={outcome.status} />),
  },
  { name: 'When', kind: 'tight', cell: ({ at }) => <Ago at={at} /> },
];

interface ListProps {
  readonly storeId: string;
  readonly page: AuditPage;
  readonly search: ChangeSearch;
  readonly go: (change: { readonly [K in keyof ChangeSearch]?: ChangeSearch[K] | undefined }) => void;
}

/** One page of the changes, or why there is none. */
export const ChangeList = ({ storeId, page: { items, next }, search, go }: ListProps) => {
  if (items.length === 0) {
    return (
      <div className="panel">
        <Empty title="No changes yet">Each change over the console, the command line or the admin API is listed here.</Empty>
      </div>
    );
  }
  return (
    <>
      <Table
        label="Changes"
        columns={columns(storeId, search)}
        rows={items}
        keyOf={({ id }) => id}
        openKey={search.open}
        onOpen={({ id }) => go({ open: id })}
      />
      <Pager
        shown={onThisPage(items, 'change')}
        onFirst={search.after === undefined ? null : () => go({ after: undefined })}
        onNext={next === null ? null : () => go({ after: next })}
      />
    </>
  );
};
