import { useQuery } from '@tanstack/react-query';

import { appsQuery } from '../../api/queries.ts';
import { Select } from '../../parts/field.tsx';

interface AppSelectProps {
  readonly storeId: string;
  readonly chosen: string | undefined;
  readonly onChange: (app: string | undefined) => void;
}

/** A filter by one app of the store. */
export const AppSelect = ({ storeId, chosen, onChange }: AppSelectProps) => {
  const apps = useQuery(appsQuery(storeId));
  return (
    <Select
      label="App"
      options={[['', 'All apps'], ...(apps.data?.items ?? []).map(({ id, name }) => [id, name] as const)]}
      chosen={chosen ?? ''}
      onChange={(app) => onChange(app || undefined)}
    />
  );
};
