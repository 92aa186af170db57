import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { api } from '../api/client.ts';
import { storeQuery } from '../api/queries.ts';
import type { ListPage, Store } from '../api/types.ts';
import { SHOWN, type Choices } from '../parts/choices.ts';
import { Combobox } from '../parts/combobox.tsx';

const CHOICES: Choices = {
  queryKey: ['stores'],
  read: async (q, signal) => {
    const { items, total } = await api.get<ListPage<Store>>('/stores', { q, take: SHOWN }, signal);
    return { options: items.map(({ id, name, domain }) => ({ id, name, note: domain })), total };
  },
};

const ALL = { id: 'all', name: 'All stores' };

/** The store that the pages are about, and the way to another. */
export const StoreMenu = ({ storeId }: { readonly storeId: string }) => {
  const navigate = useNavigate();
  const store = useQuery(storeQuery(storeId));
  const name = store.data?.name ?? (store.isError ? 'Unknown store' : '…');
  return (
    <Combobox
      label="Store"
      choices={CHOICES}
      chosen={{ id: storeId, name }}
      fixed={[ALL]}
      onChange={(id) =>
        void (id === undefined || id === ALL.id
          ? navigate({ to: '/stores' })
          : navigate({ to: '/stores/$storeId', params: { storeId: id } }))
      }
    />
  );
};
