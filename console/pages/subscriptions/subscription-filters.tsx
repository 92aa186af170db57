import { isPortal } from '../../api/client.ts';
import { Choice } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Filters } from '../../parts/filters.tsx';
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
    <Filters
      first={
        <FilterForm
          what="Subscriptions"
          label="Receiver"
          placeholder="Receiver: URL or description"
          value={search.q}
          onChange={(q) => change({ q })}
        />
      }
      chosen={[search.state, search.app]}
      onClear={null}
    >
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
      {!isPortal && (
        <AppSelect
          storeId={storeId}
          label="Owner"
          none="All owners"
          fixed={[{ id: MERCHANT, name: 'Your own' }]}
          status={LIVE}
          chosen={search.app}
          onChange={(app) => change({ app })}
        />
      )}
    </Filters>
  );
};
