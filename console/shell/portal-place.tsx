import { useQuery } from '@tanstack/react-query';

import { Blocks, ChevronLeft } from '../icons/index.ts';
import { PORTAL } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';

/** The app whose console this is, and the store that it is installed on; of a platform app with the way back to all stores. */
export const PortalPlace = () => {
  const { installation, store, platformApp } = useQuery(sessionQuery).data ?? {};
  return (
    <div className="row" style={{ flexWrap: 'nowrap', minWidth: 0 }}>
      {platformApp && store ? (
        <a href={`${PORTAL}/`} className="button small" aria-label="All stores">
          <ChevronLeft size={15} aria-hidden /> Stores
        </a>
      ) : (
        <Blocks size={16} aria-hidden />
      )}
      <span className="clip">
        {installation?.name ?? platformApp?.name ?? '…'}{' '}
        <span className="mute">on {platformApp && !store ? 'all stores' : (store?.name ?? '…')}</span>
      </span>
    </div>
  );
};
