import { Choice } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { MERCHANT, type SubscriptionChange, type SubscriptionSearch } from './search.ts';

const LIVE = ['Installed', 'Suspended'] as const;

interface FiltersProps {
  readonly storeId: string;
  readonly search: SubscriptionSearch;
  readonly change: (change: SubscriptionChange) => void;
}

export const SubscriptionFilters = ({ storeId, search, change }: FiltersProps) => {
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
      <AppSelect
        storeId={storeId}
        label="Owner"
        none="All owners"
        fixed={[{ id: MERCHANT, name: 'Your own' }]}
        status={LIVE}
        chosen={search.app}
        onChange={(app) => change({ app })}
      />
    </div>
  );
};
