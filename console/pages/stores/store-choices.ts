import { api } from '../../api/client.ts';
import type { ListPage, Store } from '../../api/types.ts';
import { SHOWN, type Choices } from '../../parts/choices.ts';

/** The stores whose name, domain or id has a text. */
export const STORE_CHOICES: Choices = {
  queryKey: ['stores'],
  read: async (q, signal) => {
    const { items, total } = await api.get<ListPage<Store>>('/stores', { q, take: SHOWN }, signal);
    return { options: items.map(({ id, name, domain }) => ({ id, name, note: domain })), total };
  },
};
