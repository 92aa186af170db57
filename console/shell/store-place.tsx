import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';

import { isPortal } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { storeQuery } from '../api/queries.ts';
import { Empty } from '../parts/empty.tsx';

/** The pages of a store, or the way out where it does not exist. A session of an app is of its own store. */
export const StorePlace = () => {
  const { storeId = '' } = useParams({ strict: false });
  const { error } = useQuery({ ...storeQuery(storeId), enabled: !isPortal });
  if (!(error instanceof ApiError && error.status === 404)) return <Outlet />;
  return (
    <>
      <h1 className="visually-hidden">Store not found</h1>
      <Empty
        title="This store does not exist"
        actions={
          <Link to="/stores" className="button primary">
            See all stores
          </Link>
        }
      >
        It was erased, or the address is wrong.
      </Empty>
    </>
  );
};
