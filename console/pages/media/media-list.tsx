import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { MediaImport, MediaImportPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { None, Pager, Table, type Column } from '../../parts/table.tsx';
import { spanText } from '../../parts/time-words.ts';
import { Ago } from '../../parts/time.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import type { MediaSearch } from './search.ts';
import { ImportBadge } from './words.tsx';
import { onThisPage } from '../../parts/plural.ts';

const columns = (
  storeId: string,
  search: MediaSearch,
  appName: (id: string | null) => string,
): readonly Column<MediaImport>[] => [
  { name: 'Status', kind: 'tight', cell: ({ status }) => <ImportBadge status={status} /> },
  {
    name: 'Images',
    kind: 'tight',
    cell: ({ id, items: { total, ready } }) => (
      <Link to="/stores/$storeId/media" params={{ storeId }} search={{ ...search, open: id }} resetScroll={false}>
        {ready.toLocaleString()} of {total.toLocaleString()} ready
      </Link>
    ),
  },
  { name: 'App', cell: ({ installationId }) => <span className="clip">{appName(installationId)}</span> },
  {
    name: 'First error',
    cell: ({ firstError }) => (
      <span className="clip mute" title={firstError?.message}>
        {firstError?.message ?? '–'}
      </span>
    ),
  },
  {
    name: 'Took',
    kind: 'num',
    cell: ({ createdAt, finishedAt }) =>
      finishedAt === null ? <None /> : spanText(Math.max((Date.parse(finishedAt) - Date.parse(createdAt)) / 1000, 1)),
  },
  { name: 'Created', kind: 'time', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

interface ListProps {
  readonly storeId: string;
  readonly list: UseQueryResult<MediaImportPage>;
  readonly search: MediaSearch;
  readonly go: (change: { readonly open?: string; readonly after?: string | undefined }) => void;
}

export const MediaList = ({ storeId, list, search, go }: ListProps) => {
  const appName = useAppName(
    storeId,
    (list.data?.items ?? []).map(({ installationId }) => installationId),
  );
  const isFiltered = search.app !== undefined || search.status !== undefined;
  const isFirst = search.after === undefined;
  return (
    <Found query={list} lines={8}>
      {({ items, next }) =>
        items.length === 0 && isFirst ? (
          <div className="panel">
            {isFiltered ? (
              <Empty title="No import matches">Change or clear the filter.</Empty>
            ) : (
              <Empty title="No media imports yet">
                An app imports images with POST /apps/media/imports. Each import is listed here with what became of its images.
              </Empty>
            )}
          </div>
        ) : (
          <>
            <Table
              label="Media imports"
              columns={columns(storeId, search, appName)}
              rows={items}
              keyOf={({ id }) => id}
              openKey={search.open}
              onOpen={({ id }) => go({ open: id })}
            />
            <Pager
              shown={onThisPage(items, 'import')}
              onFirst={isFirst ? null : () => go({ after: undefined })}
              onNext={next === null ? null : () => go({ after: next })}
            />
          </>
        )
      }
    </Found>
  );
};
