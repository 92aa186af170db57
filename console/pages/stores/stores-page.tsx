import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { storesQuery } from '../../api/queries.ts';
import type { Store } from '../../api/types.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { ChangeStatus } from './change-status.tsx';
import { ChangeStore } from './change-store.tsx';
import { CreateStore } from './create-store.tsx';
import { StoreList } from './store-list.tsx';
import type { StoreChange } from './store-menu.tsx';

export const StoresPage = () => {
  const stores = useQuery(storesQuery);
  const [asked, setAsked] = useState<{ readonly store: Store; readonly what: StoreChange } | null>(null);
  const close = (): void => setAsked(null);
  return (
    <Page
      title="Stores"
      intro="Each store has its own catalogue, apps and events. Apps reach it by its domain."
      actions={<CreateStore />}
    >
      {stores.isPending && <Skeleton lines={4} />}
      {stores.isError && <Failure error={stores.error} retry={() => void stores.refetch()} />}
      {stores.data && <StoreList stores={stores.data} onAsk={(store, what) => setAsked({ store, what })} />}
      {asked?.what === 'details' && <ChangeStore store={asked.store} onClose={close} />}
      {asked && asked.what !== 'details' && <ChangeStatus store={asked.store} to={asked.what} onClose={close} />}
    </Page>
  );
};
