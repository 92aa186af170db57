import { Search, X } from 'lucide-react';
import { useRef } from 'react';

import { Select } from '../../parts/field.tsx';
import { Period } from '../../parts/period.tsx';
import { isFiltered } from './search.ts';
import type { EventChange, EventSearch } from './search.ts';
import { TYPE_OPTIONS } from './type-options.ts';

interface FiltersProps {
  readonly search: EventSearch;
  readonly change: (change: EventChange) => void;
}

export const EventFilters = ({ search, change }: FiltersProps) => {
  const resource = useRef<HTMLInputElement>(null);
  return (
    <div className="row">
      <form
        role="search"
        aria-label="By resource"
        className="with-icon grow"
        style={{ minWidth: 'min(260px, 100%)' }}
        onSubmit={(event) => {
          event.preventDefault();
          change({ resource: resource.current?.value.trim() || undefined });
        }}
      >
        <Search size={15} aria-hidden />
        <input
          ref={resource}
          key={search.resource ?? ''}
          className="input"
          type="search"
          aria-label="Id of the product, order or other resource"
          placeholder="Product, order or other id"
          defaultValue={search.resource}
          onChange={(event) => {
            if (event.target.value === '') change({ resource: undefined });
          }}
        />
      </form>
      <Select
        label="Type"
        options={TYPE_OPTIONS}
        chosen={search.types ?? ''}
        onChange={(types) => change({ types: types || undefined })}
      />
      <Period since={search.since} onChange={(since) => change({ since, until: undefined })} />
      {isFiltered(search) && (
        <button
          type="button"
          className="button quiet small"
          onClick={() => change({ types: undefined, resource: undefined, since: undefined, until: undefined })}
        >
          <X size={14} aria-hidden /> Clear
        </button>
      )}
    </div>
  );
};
