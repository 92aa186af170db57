import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { SearchAnswer } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { FoundList } from './found-list.tsx';
import { isCause, placeOf } from './place-of.ts';
import { searchQuery } from './queries.ts';
import { OtherPlaces, useOtherPlaces } from './other-places.tsx';
import { SearchForm } from './search-form.tsx';
import { Searchable } from './searchable.tsx';

const route = getRouteApi('/inside/stores/$storeId/search');

const NothingFound = () => (
  <>
    <div className="panel">
      <Empty title="Nothing was found">Check that it is complete and belongs to this {isPortal ? 'app' : 'store'}.</Empty>
    </div>
    <Searchable />
  </>
);

interface HitsProps {
  readonly storeId: string;
  readonly q: string;
  readonly items: SearchAnswer['items'];
  readonly places: ReturnType<typeof useOtherPlaces>;
}

const Hits = ({ storeId, q, items, places }: HitsProps) => {
  const hasPlaces = places.stores.length + places.types.length > 0;
  const [first, second] = items;
  if (first === undefined && !hasPlaces) return places.error === null && <NothingFound />;
  // A single hit opens its page. The browser's back button skips this page.
  if (first && second === undefined && !hasPlaces && !isCause(first)) return <Navigate {...placeOf(storeId, first)} replace />;
  return (
    <>
      {first && <FoundList storeId={storeId} items={items} />}
      {hasPlaces && <OtherPlaces storeId={storeId} q={q} places={places} />}
    </>
  );
};

const Answer = ({ storeId, q }: { readonly storeId: string; readonly q: string }) => {
  const found = useQuery(searchQuery(storeId, q));
  const places = useOtherPlaces(q);
  if (places.isPending) return <Skeleton lines={4} />;
  return (
    <>
      {places.error !== null && <Failure error={places.error} retry={() => void places.refetch()} />}
      <Found query={found} lines={4}>
        {({ items }) => <Hits storeId={storeId} q={q} items={items} places={places} />}
      </Found>
    </>
  );
};

export const SearchPage = () => {
  const { storeId } = route.useParams();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Search" intro="What is this, and where does it lead?">
      <SearchForm q={q} onSearch={(text) => void navigate({ search: { q: text } })} />
      {q === '' ? <Searchable /> : <Answer storeId={storeId} q={q} />}
    </Page>
  );
};
