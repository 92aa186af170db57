import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
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

const Answer = ({ storeId, q }: { readonly storeId: string; readonly q: string }) => {
  const found = useQuery(searchQuery(storeId, q));
  const places = useOtherPlaces(q);
  if (found.isPending || places.isPending) return <Skeleton lines={4} />;
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  const { items } = found.data;
  const hasPlaces = places.stores.length + places.types.length > 0;
  const [first, second] = items;
  if (first === undefined && !hasPlaces) {
    return <NothingFound />;
  }
  // One hit leads there. The browser's back button skips this page.
  if (first && second === undefined && !hasPlaces && !isCause(first)) return <Navigate {...placeOf(storeId, first)} replace />;
  return (
    <>
      {first && <FoundList storeId={storeId} items={items} />}
      {hasPlaces && <OtherPlaces storeId={storeId} q={q} places={places} />}
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
