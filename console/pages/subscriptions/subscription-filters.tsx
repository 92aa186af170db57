import { useQuery } from '@tanstack/react-query';

import { appsQuery } from '../../api/queries.ts';
import { Choice, Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { MERCHANT, type SubscriptionSearch } from './search.ts';

interface FiltersProps {
  readonly storeId: string;
  readonly search: SubscriptionSearch;
  readonly change: (change: { readonly [K in keyof SubscriptionSearch]?: SubscriptionSearch[K] | undefined }) => void;
}

export const SubscriptionFilters = ({ storeId, search, change }: FiltersProps) => {
  const apps = useQuery(appsQuery(storeId));
  return (
    <div className="row">
      <FilterForm
        what="Subscriptions"
        label="Receiver"
        placeholder="Receiver: URL or description"
        value={search.q}
        onChange={(q) => change({ q })}
      />
      <Choice
        label="State"
        options={[
          ['', 'All'],
          ['attention', 'Need attention'],
          ['fine', 'Deliverable'],
        ]}
        chosen={search.state ?? ''}
        onChange={(state) => change({ state: state === '' ? undefined : state })}
      />
      <Select
        label="Owner"
        options={[
          ['', 'All owners'],
          [MERCHANT, 'Your own'],
          ...(apps.data?.items ?? []).filter(({ status }) => status !== 'Uninstalled').map(({ id, name }) => [id, name] as const),
        ]}
        chosen={search.app ?? ''}
        onChange={(app) => change({ app: app || undefined })}
      />
    </div>
  );
};
