import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';

import { api } from '../../api/client.ts';
import type { Installation, ListPage } from '../../api/types.ts';
import { SHOWN, type Choices, type Option } from '../../parts/choices.ts';
import { Combobox } from '../../parts/combobox.tsx';
import { appQuery } from './queries.ts';

const noteOf = ({ status }: Installation): string | undefined => (status === 'Installed' ? undefined : status);

type Statuses = readonly Installation['status'][];

const choicesOf = (storeId: string, status?: Statuses): Choices => ({
  queryKey: ['apps', storeId, { status }],
  read: async (q, signal) => {
    const { items, total } = await api.get<ListPage<Installation>>(`/stores/${storeId}/apps`, { q, status, take: SHOWN }, signal);
    return { options: items.map((app) => ({ id: app.id, name: app.name, note: noteOf(app) })), total };
  },
});

/** The chosen app with its name, which a read of its own has: the list may not have it. */
const useChosen = (id: string | undefined, fixed: readonly Option[]): Option | undefined => {
  const known = fixed.find((option) => option.id === id);
  const app = useQuery({ ...appQuery(id ?? ''), enabled: id !== undefined && known === undefined });
  if (id === undefined || known) return known;
  return { id, name: app.data?.name ?? (app.isError ? 'Unknown app' : '…') };
};

interface AppSelectProps extends Pick<ComponentProps<typeof Combobox>, 'isLabelShown' | 'none' | 'fixed' | 'onChange'> {
  readonly storeId: string;
  readonly chosen: string | undefined;
  readonly label?: string;
  readonly status?: Statuses;
}

export const AppSelect = ({ storeId, chosen, label = 'App', none = 'All apps', status, ...box }: AppSelectProps) => (
  <Combobox label={label} none={none} choices={choicesOf(storeId, status)} chosen={useChosen(chosen, box.fixed ?? [])} {...box} />
);
