import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { storeQuery } from '../api/queries.ts';
import { STORE_CHOICES } from '../pages/stores/store-choices.ts';
import { SandboxBadge } from '../parts/badge.tsx';
import { Combobox } from '../parts/combobox.tsx';

const ALL = { id: 'all', name: 'All stores' };

/** The store that the pages are about, and the way to another. */
export const StoreMenu = ({ storeId }: { readonly storeId: string }) => {
  const navigate = useNavigate();
  const store = useQuery(storeQuery(storeId));
  const name = store.data?.name ?? (store.isError ? 'Unknown store' : '…');
  return (
    <>
      <Combobox
        label="Store"
        choices={STORE_CHOICES}
        chosen={{ id: storeId, name }}
        fixed={[ALL]}
        onChange={(id) =>
          void (id === undefined || id === ALL.id
            ? navigate({ to: '/stores' })
            : navigate({ to: '/stores/$storeId', params: { storeId: id } }))
        }
      />
      {(store.data?.sandboxAppId ?? null) !== null && <SandboxBadge />}
    </>
  );
};
