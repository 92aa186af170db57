import { Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Period } from '../../parts/period.tsx';
import { isFiltered, type EventChange, type EventSearch } from './search.ts';
import { TYPE_OPTIONS } from './type-options.ts';

interface FiltersProps {
  readonly search: EventSearch;
  readonly change: (change: EventChange) => void;
}

export const EventFilters = ({ search, change }: FiltersProps) => {
  const clear = (): void => change({ types: undefined, resource: undefined, since: undefined, until: undefined });
  return (
    <Filters
      first={
        <FilterForm
          what="By resource"
          label="Id of a product, order or other resource"
          placeholder="Product, order or other id"
          value={search.resource}
          onChange={(resource) => change({ resource })}
        />
      }
      chosen={[search.types, search.since ?? search.until]}
      onClear={isFiltered(search) ? clear : null}
    >
      <Select
        label="Type"
        options={TYPE_OPTIONS}
        chosen={search.types ?? ''}
        onChange={(types) => change({ types: types || undefined })}
      />
      <Period since={search.since} until={search.until} onChange={(since) => change({ since, until: undefined })} />
    </Filters>
  );
};
