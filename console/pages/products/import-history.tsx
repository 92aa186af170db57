import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { ProductImport, ProductImportPage } from '../../api/types.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { None, Pager, Table, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { removedList } from './import-words.ts';
import { isOfProducts } from './use-import-frames.ts';
import { onThisPage } from '../../parts/plural.ts';

const TAKE = 20;

const importsQuery = (storeId: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['product-imports', storeId, after],
    queryFn: ({ signal }) => api.get<ProductImportPage>(`/stores/${storeId}/product-imports`, { after, take: TAKE }, signal),
    placeholderData: keepPreviousData,
  });

const ENDS = {
  complete: 'Complete',
  refused: 'Refused',
  stopped: 'Stopped',
  broken_off: 'Broken off',
} as const satisfies Record<NonNullable<ProductImport['ended']>, string>;

const State = ({ ended, failed }: ProductImport) => {
  if (ended === null) return <Badge tone="info">Running</Badge>;
  const tone: Tone = ended !== 'complete' ? 'bad' : failed > 0 ? 'warn' : 'ok';
  return <Badge tone={tone}>{ended === 'complete' && failed > 0 ? 'With failures' : ENDS[ended]}</Badge>;
};

const Failures = ({ failed, errors }: ProductImport) => {
  if (errors.length === 0) return failed === 0 ? <None /> : <>{failed.toLocaleString()}</>;
  return (
    <details>
      <summary>{failed.toLocaleString()} failed</summary>
      <ul className="bullets">
        {errors.map(({ line, message }, index) => (
          <li key={index} className="wrap">
            Line {line.toLocaleString()}: {message}
          </li>
        ))}
        {failed > errors.length && <li>{(failed - errors.length).toLocaleString()} more</li>}
      </ul>
    </details>
  );
};

const count = (name: 'created' | 'updated' | 'unchanged', title: string): Column<ProductImport> => ({
  name: title,
  kind: 'num',
  cell: (one) => one[name].toLocaleString(),
});

const COLUMNS: readonly Column<ProductImport>[] = [
  { name: 'State', kind: 'tight', cell: State },
  {
    name: 'File',
    cell: ({ fileName }) => (
      <span className="clip" title={fileName ?? undefined}>
        {fileName ?? <span className="mute">Without a name</span>}
      </span>
    ),
  },
  count('created', 'Created'),
  count('updated', 'Updated'),
  count('unchanged', 'Unchanged'),
  { name: 'Removed', cell: (one) => removedList(one) ?? <None /> },
  { name: 'Failures', cell: Failures },
  { name: 'By', kind: 'tight', cell: ({ by }) => by },
  { name: 'Started', kind: 'time', cell: ({ startedAt }) => <Ago at={startedAt} /> },
];

interface HistoryProps {
  readonly storeId: string;
  readonly after: string | undefined;
  readonly go: (after: string | undefined) => void;
}

const Imports = ({ page: { items, next }, after, go }: Omit<HistoryProps, 'storeId'> & { readonly page: ProductImportPage }) => (
  <>
    {items.length === 0 ? (
      <Empty title="Nothing was imported yet" />
    ) : (
      <Table label="Imports" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
    )}
    {(next !== null || after !== undefined) && (
      <Pager
        shown={onThisPage(items, 'import')}
        onFirst={after === undefined ? null : () => go(undefined)}
        onNext={next === null ? null : () => go(next)}
      />
    )}
  </>
);

/** Who imported what, and what came of it. */
export const ImportHistory = ({ storeId, after, go }: HistoryProps) => {
  const list = useQuery(importsQuery(storeId, after));
  useReread({
    storeId,
    concerns: (frame) => isOfProducts(frame) && !frame.isDryRun,
    keys: [['product-imports', storeId]],
  });
  return (
    <Panel title="Imports of the last 90 days" isFlush>
      <Found query={list}>{(page) => <Imports page={page} after={after} go={go} />}</Found>
    </Panel>
  );
};
