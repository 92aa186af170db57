import { isPortal } from '../../api/client.ts';
import { Chips, Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Period } from '../../parts/period.tsx';
import { periodOf, rangeText } from '../../parts/periods.ts';
import { AppSelect } from '../apps/app-select.tsx';
import { useReceiverName } from '../subscriptions/receiver-name.tsx';
import { ReceiverSelect } from '../subscriptions/receiver-select.tsx';
import { type WaitingReason, WHY_WAITING } from '../../../src/adapters/http/console/shared.ts';
import { ERRORS } from './words.ts';
import { CHIPS, FAILING, isFiltered, type DeliveryChange, type DeliverySearch } from './search.ts';

interface FiltersProps {
  readonly storeId: string;
  readonly search: DeliverySearch;
  readonly change: (change: DeliveryChange) => void;
}

const NO_FILTER = {
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
} as const satisfies DeliveryChange;

type Chip = (typeof CHIPS)[number];

/** "Failing" is of several statuses, and so is chosen alone. */
const chipsAfter = (before: readonly Chip[], chosen: readonly Chip[]): readonly Chip[] => {
  if (!chosen.includes(FAILING)) return chosen;
  return before.includes(FAILING) ? chosen.filter((chip) => chip !== FAILING) : [FAILING];
};

export const DeliveryFilters = ({ storeId, search, change }: FiltersProps) => {
  const receiver = useReceiverName(storeId, search.subscription);
  const named = (
    [
      ['subscription', 'Receiver', () => receiver],
      ['waiting', 'Waiting', (reason) => WHY_WAITING[reason as WaitingReason].name],
      ['event', 'Event', (id) => `…${id.slice(-12)}`],
      ['types', 'Type', String],
    ] as readonly (readonly [keyof DeliverySearch, string, (value: string) => string])[]
  ).flatMap(([name, label, nameOf]) => {
    const value = search[name];
    const without: DeliveryChange = { [name]: undefined };
    return value === undefined ? [] : [{ text: `${label}: ${[value].flat().map(nameOf).join(', ')}`, without }];
  });
  const { since, until } = search;
  const range = { text: `Created: ${rangeText({ since, until })}`, without: { since: undefined, until: undefined } };
  const chips = periodOf({ since, until }, Date.now()) === null ? [...named, range] : named;
  return (
    <Filters
      first={
        <FilterForm
          what="Deliveries"
          label="Id of a product, order or other resource"
          placeholder="Product, order or other id"
          value={search.resource}
          onChange={(resource) => change({ resource })}
        />
      }
      chosen={[
        search.subscription,
        search.app,
        search.errors,
        since ?? until,
        search.status,
        search.waiting,
        search.event,
        search.types,
      ]}
      onClear={isFiltered(search) ? () => change(NO_FILTER) : null}
    >
      <ReceiverSelect storeId={storeId} chosen={search.subscription} onChange={(subscription) => change({ subscription })} />
      {!isPortal && <AppSelect storeId={storeId} chosen={search.app} onChange={(app) => change({ app })} />}
      <Select
        label="Why it failed"
        options={[['', 'Any error'], ...Object.entries(ERRORS).map(([error, { name }]) => [error, name] as const)]}
        chosen={search.errors ?? ''}
        onChange={(errors) => change({ errors: errors || undefined })}
      />
      <Period since={since} until={until} onChange={(chosen) => change({ since: chosen, until: undefined })} />
      <Chips
        label="Status"
        options={CHIPS}
        chosen={search.status ?? []}
        onChange={(chosen) => {
          const status = chipsAfter(search.status ?? [], chosen);
          change({ status: status.length > 0 ? status : undefined });
        }}
      />
      {chips.map(({ text, without }) => (
        <button
          key={text}
          type="button"
          className="chip"
          aria-pressed="true"
          aria-label={`${text}. Remove this filter`}
          onClick={() => change(without)}
        >
          <span className="clip">{text}</span> ×
        </button>
      ))}
    </Filters>
  );
};
