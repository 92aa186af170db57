import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { Rss, Store as StoreIcon } from '../../icons/index.ts';
import { isPortal } from '../../api/client.ts';
import { storesQuery } from '../../api/queries.ts';
import { TYPE_OPTIONS } from '../events/type-options.ts';

/** More are on the page of stores. */
const MOST = 5;

/** The event types that the text is a part of. */
const typesOf = (q: string): readonly string[] => {
  const wanted = q.toLowerCase();
  return TYPE_OPTIONS.map(([type]) => type).filter((type) => type !== '' && !type.endsWith('*') && type.includes(wanted));
};

/** Stores and lists of events that the text names: they are not in the store. */
export const useOtherPlaces = (q: string) => {
  const stores = useQuery({ ...storesQuery({ q, take: MOST }), enabled: !isPortal && q !== '' });
  const found = stores.data ?? { items: [], total: 0 };
  return {
    stores: found.items,
    storeCount: found.total,
    types: typesOf(q),
    isPending: stores.isLoading,
    error: stores.error,
    refetch: stores.refetch,
  };
};

interface PlacesProps {
  readonly storeId: string;
  readonly q: string;
  readonly places: ReturnType<typeof useOtherPlaces>;
}

export const OtherPlaces = ({ storeId, q, places: { stores, storeCount, types } }: PlacesProps) => (
  <ol className="panel found" aria-label="Stores and event types">
    {types.map((type) => (
      <li key={type}>
        <Rss size={17} aria-hidden />
        <div className="grow row">
          <strong>
            <Link to="/stores/$storeId/events" params={{ storeId }} search={{ types: type }}>
              {type}
            </Link>
          </strong>
          <span className="mute">The events of this type</span>
        </div>
      </li>
    ))}
    {stores.map(({ id, name, domain }) => (
      <li key={id}>
        <StoreIcon size={17} aria-hidden />
        <div className="grow row">
          <strong>
            <Link to="/stores/$storeId" params={{ storeId: id }}>
              {name}
            </Link>
          </strong>
          <span className="mute">{id === storeId ? `This store · ${domain}` : `Store · ${domain}`}</span>
        </div>
      </li>
    ))}
    {storeCount > stores.length && (
      <li>
        <StoreIcon size={17} aria-hidden />
        <Link to="/stores" search={{ q }}>
          All {storeCount.toLocaleString()} stores that match
        </Link>
      </li>
    )}
  </ol>
);
