import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { storeQuery } from '../api/queries.ts';
import type { Store } from '../api/types.ts';
import { ChangeStatus } from '../pages/stores/change-status.tsx';
import { Empty } from '../parts/empty.tsx';
import { May } from '../parts/may.tsx';
import { Notice } from '../parts/notice.tsx';

/** On each page of a store that is not active: apps show as installed, and all their requests are refused. */
const InactiveStore = ({ store }: { readonly store: Store }) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Notice tone="warn" title="This store is inactive">
        Its apps get 401, and deliveries wait until you activate it.
        <May needs="operator">
          <div>
            <button type="button" className="button small" onClick={() => setAsking(true)}>
              Activate the store
            </button>
          </div>
        </May>
      </Notice>
      {isAsking && <ChangeStatus store={store} to="Active" onClose={() => setAsking(false)} />}
    </>
  );
};

/** The pages of a store, or the way out where it does not exist. A session of an app is of its own store. */
export const StorePlace = () => {
  const { storeId = '' } = useParams({ strict: false });
  const { data, error } = useQuery({ ...storeQuery(storeId), enabled: !isPortal });
  if (!(error instanceof ApiError && error.status === 404))
    return (
      <div className="page">
        {data?.status === 'Inactive' && <InactiveStore store={data} />}
        <Outlet />
      </div>
    );
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
