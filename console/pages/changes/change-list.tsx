import type { AuditPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { onThisPage } from '../../parts/plural.ts';
import { Pager, Table } from '../../parts/table.tsx';
import { changeColumns } from './change-columns.tsx';
import type { ChangeOfSearch, ChangeSearch } from './search.ts';

interface ListProps {
  readonly isOfAll: boolean;
  readonly page: AuditPage;
  readonly search: ChangeSearch;
  readonly go: (change: ChangeOfSearch) => void;
}

export const ChangeList = ({ isOfAll, page: { items, next }, search, go }: ListProps) => {
  if (items.length === 0) {
    return (
      <div className="panel">
        {search.show === 'refused' ? (
          <Empty title="Nothing was refused">
            A change for which somebody lacks the right, a wrong token and a failed sign-in are listed here, with the reason.
          </Empty>
        ) : (
          <Empty title="No changes yet">Each change over the console, the command line or the admin API is listed here.</Empty>
        )}
      </div>
    );
  }
  return (
    <>
      <Table
        label="Changes"
        columns={changeColumns(isOfAll)}
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
