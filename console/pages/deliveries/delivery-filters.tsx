import { X } from 'lucide-react';

import { isPortal } from '../../api/client.ts';
import { Chips, Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Period } from '../../parts/period.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { useReceiverName } from '../subscriptions/receiver-name.tsx';
import { ReceiverSelect } from '../subscriptions/receiver-select.tsx';
import type { WaitingReason } from '../../../src/domain/webhooks/delivery.ts';
import { WHY_WAITING } from '../../../src/domain/webhooks/why-waiting.ts';
import { ERRORS } from './words.ts';
import { isFiltered, STATUSES, type DeliveryChange, type DeliverySearch } from './search.ts';

interface FiltersProps {
  readonly storeId: string;
  readonly search: DeliverySearch;
  readonly change: (change: DeliveryChange) => void;
}

export const DeliveryFilters = ({ storeId, search, change }: FiltersProps) => {
  const receiver = useReceiverName(storeId, search.subscription);
  const chips = (
    [
      ['subscription', 'Receiver', () => receiver],
      ['waiting', 'Waiting', (reason) => WHY_WAITING[reason as WaitingReason].name],
      ['event', 'Event', (id) => `…${id.slice(-12)}`],
      ['types', 'Type', String],
    ] as readonly (readonly [keyof DeliverySearch, string, (value: string) => string])[]
  ).flatMap(([name, label, nameOf]) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, text: `${label}: ${[value].flat().map(nameOf).join(', ')}` }];
  });
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
        <ReceiverSelect storeId={storeId} chosen={search.subscription} onChange={(subscription) => change({ subscription })} />
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
        {chips.map(({ name, text }) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed="true"
            aria-label={`${text}. Remove this filter`}
            onClick={() => change({ [name]: undefined })}
          >
            <span className="clip">{text}</span> ×
          </button>
        ))}
        {isFiltered(search) && (
          <button
            type="button"
            className="button quiet small"
            onClick={() =>
              change({
                status: undefined,
                waiting: undefined,
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
