import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { Download } from '../../icons/index.ts';
import { API, api } from '../../api/client.ts';
import { skipOf } from '../../api/search.ts';
import type { StoredMetaobjectEntry } from '../../api/types.ts';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { SkipPager } from '../../parts/skip-pager.tsx';
import { None, Table, type Column } from '../../parts/table.tsx';
import { Ago, Due } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useAppName } from '../apps/use-app-name.ts';
import { entriesPath, entriesQuery, TAKE } from './queries.ts';

const route = getRouteApi('/inside/stores/$storeId/custom-data/$type');

interface DeleteEntryProps {
  readonly path: string;
  readonly entry: StoredMetaobjectEntry;
  readonly app: string;
  readonly onClose: () => void;
}

const DeleteEntry = ({ path, entry: { id, handle, keptUntil }, app, onClose }: DeleteEntryProps) => {
  const remove = useAction({
    act: () => api.delete<null>(`${path}/${id}`),
    said: `${handle} is deleted.`,
    onDone: onClose,
    changes: ['metaobject-types', 'metaobject-entries'],
  });
  return (
    <EffectsDialog
      title={`Delete the entry ${handle}`}
      action="Delete the entry"
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      effects={[keptUntil === null ? `${app} hears that its entry is deleted.` : `${app} is uninstalled, and hears nothing.`]}
      onClose={onClose}
    />
  );
};

const columnsOf = (
  storeId: string,
  appName: (id: string) => string,
  onDelete: (entry: StoredMetaobjectEntry) => void,
): readonly Column<StoredMetaobjectEntry>[] => [
  { name: 'Handle', cell: ({ handle }) => <code className="clip">{handle}</code> },
  {
    name: 'App',
    cell: ({ installationId }) => (
      <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: installationId }} className="clip">
        {appName(installationId)}
      </Link>
    ),
  },
  { name: 'Erased', kind: 'time', cell: ({ keptUntil }) => (keptUntil === null ? <None /> : <Due at={keptUntil} />) },
  { name: 'Changed', kind: 'time', cell: ({ createdAt, updatedAt }) => <Ago at={updatedAt ?? createdAt} /> },
  {
    name: '',
    kind: 'tight',
    cell: (entry) => (
      <May>
        <button type="button" className="button small" aria-label={`Delete ${entry.handle}`} onClick={() => onDelete(entry)}>
          Delete
        </button>
      </May>
    ),
  },
];

export const EntriesPage = () => {
  const { storeId, type } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [removed, setRemoved] = useState<StoredMetaobjectEntry | null>(null);
  const list = useQuery(entriesQuery(storeId, type, search));
  const appName = useAppName(storeId, list.data?.items.map(({ installationId }) => installationId) ?? []);
  const path = entriesPath(storeId, type);
  return (
    <Page
      title={`Entries of ${type}`}
      intro="Of all apps, oldest first. Those of an uninstalled app say when they are erased."
      actions={
        <a className="button" href={`${API}${path}/export`} download={`${type}.ndjson`}>
          <Download size={15} aria-hidden /> Export
        </a>
      }
    >
      <Found query={list} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <div className="panel">
              <Empty title="No entries yet">Apps with write_metaobjects write them.</Empty>
            </div>
          ) : (
            <>
              <Table label="Entries" rows={items} keyOf={({ id }) => id} columns={columnsOf(storeId, appName, setRemoved)} />
              <SkipPager
                skip={skipOf(search)}
                shown={items.length}
                take={TAKE}
                total={total}
                onSkip={(skip) => void navigate({ search: { ...(skip !== undefined && { skip }) } })}
              />
            </>
          )
        }
      </Found>
      {removed && (
        <DeleteEntry path={path} entry={removed} app={appName(removed.installationId)} onClose={() => setRemoved(null)} />
      )}
    </Page>
  );
};
