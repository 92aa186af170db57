import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { useReread } from '../../api/reread.ts';
import { Chips } from '../../parts/field.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { MediaDrawer } from './media-drawer.tsx';
import { MediaList } from './media-list.tsx';
import { mediaImportsQuery } from './queries.ts';
import { IMPORT_STATUSES, type MediaSearch } from './search.ts';
import { STATUS_NAMES } from './words.tsx';

const route = getRouteApi('/inside/stores/$storeId/media');

export const MediaPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(mediaImportsQuery(storeId, search));
  useReread({
    storeId,
    concerns: (frame) => frame.kind === 'import' && frame.of === 'media',
    keys: [['media-imports'], ['media-import']],
  });
  const go = (change: { readonly [K in keyof MediaSearch]?: MediaSearch[K] | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as MediaSearch, resetScroll: false });
  return (
    <Page title="Media imports" intro="Which images did apps import, and which failed and why? Newest first.">
      <Filters chosen={[search.app, search.status]} onClear={null}>
        <AppSelect storeId={storeId} chosen={search.app} onChange={(app) => go({ app, after: undefined })} />
        <Chips
          label="Status"
          options={IMPORT_STATUSES}
          chosen={search.status ?? []}
          nameOf={(status) => STATUS_NAMES[status]}
          onChange={(status) => go({ status: status.length > 0 ? status : undefined, after: undefined })}
        />
      </Filters>
      <MediaList storeId={storeId} list={list} search={search} go={go} />
      {search.open !== undefined && (
        <MediaDrawer storeId={storeId} importId={search.open} onClose={() => go({ open: undefined })} />
      )}
    </Page>
  );
};
