import { X } from 'lucide-react';

import { isPortal } from '../../api/client.ts';
import { Chips, Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Period } from '../../parts/period.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { ERRORS } from './words.ts';
import { isFiltered, STATUSES, type DeliveryChange, type DeliverySearch } from './search.ts';

interface FiltersProps {
  readonly storeId: string;
  readonly search: DeliverySearch;
  readonly change: (change: DeliveryChange) => void;
}

export const DeliveryFilters = ({ storeId, search, change }: FiltersProps) => {
  const hidden = (['subscription', 'event', 'types'] as const).filter((name) => search[name] !== undefined);
  return (
    <div className="stack">
      <div className="row">
        <FilterForm
          what="Deliveries"
          label="Id of a product, order or other resource"
          placeholder="Product, order or other id"
          value={search.resource}
          onChange={(resource) => change({ resource })}
        />
        {!isPortal && <AppSelect storeId={storeId} chosen={search.app} onChange={(app) => change({ app })} />}
        <Select
          label="Why it failed"
          options={[['', 'Any error'], ...Object.entries(ERRORS).map(([error, { name }]) => [error, name] as const)]}
          chosen={search.errors ?? ''}
          onChange={(errors) => change({ errors: errors || undefined })}
        />
        <Period since={search.since} onChange={(since) => change({ since, until: undefined })} />
      </div>
      <div className="row">
        <Chips
          label="Status"
          options={STATUSES}
          chosen={search.status ?? []}
          onChange={(status) => change({ status: status.length > 0 ? status : undefined })}
        />
        {hidden.map((name) => (
          <button key={name} type="button" className="chip" aria-pressed="true" onClick={() => change({ [name]: undefined })}>
            {name}: {search[name]?.slice(-12)} ×
          </button>
        ))}
        {isFiltered(search) && (
          <button
            type="button"
            className="button quiet small"
            onClick={() =>
              change({
                status: undefined,
                types: undefined,
                errors: undefined,
                app: undefined,
                subscription: undefined,
                event: undefined,
                resource: undefined,
                since: undefined,
                until: undefined,
              })
            }
          >
            <X size={14} aria-hidden /> Clear
          </button>
        )}
      </div>
    </div>
  );
};
