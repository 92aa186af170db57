import { isPortal } from '../../api/client.ts';
import { Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Period } from '../../parts/period.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { whyRefused } from '../../../src/adapters/http/console/shared.ts';
import { isFiltered, METHODS, type RequestChange, type RequestSearch } from './search.ts';

const STATUSES = [
  ['', 'Any status'],
  ['400', '400 Invalid'],
  ['401', '401 Not authenticated'],
  ['403', '403 Missing scope'],
  ['404', '404 Not found'],
  ['409', '409 Conflict'],
  ['410', '410 Expired cursor'],
  ['413', '413 Too large'],
  ['415', '415 Content type'],
  ['422', '422 Key used for another request'],
  ['429', '429 Rate limit'],
  ['500', '500 Error in Tenon'],
  ['503', '503 Unavailable'],
] as const;

interface FiltersProps {
  readonly storeId: string;
  readonly search: RequestSearch;
  readonly change: (change: RequestChange) => void;
}

export const RequestFilters = ({ storeId, search, change }: FiltersProps) => {
  const status = search.status ?? '';
  const isListed = STATUSES.some(([listed]) => listed === status);
  const clear = (): void =>
    change({
      ...{ app: undefined, status: undefined, method: undefined, route: undefined },
      ...{ check: undefined, reason: undefined, since: undefined },
    });
  return (
    <Filters
      first={
        <FilterForm
          what="Refused requests by route"
          label="Route"
          placeholder="Route, as /apps/events"
          maxLength={200}
          value={search.route}
          onChange={(route) => change({ route })}
        />
      }
      chosen={[search.app, search.status, search.method, search.since, search.reason]}
      onClear={isFiltered(search) ? clear : null}
    >
      {!isPortal && <AppSelect storeId={storeId} chosen={search.app} onChange={(app) => change({ app })} />}
      <Select
        label="Status"
        options={isListed ? STATUSES : [...STATUSES, [status, status] as const]}
        chosen={status}
        onChange={(chosen) => change({ status: chosen || undefined })}
      />
      <Select
        label="Method"
        options={[['', 'Any method'], ...METHODS.map((method) => [method, method] as const)]}
        chosen={search.method ?? ''}
        onChange={(chosen) => change({ method: chosen === '' ? undefined : chosen })}
      />
      <Period since={search.since} onChange={(since) => change({ since })} />
      {search.check !== undefined && search.reason !== undefined && (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          aria-label="Remove the filter by reason"
          onClick={() => change({ check: undefined, reason: undefined })}
        >
          <span className="clip">{whyRefused({ check: search.check, reason: search.reason, code: null }).name}</span> ×
        </button>
      )}
    </Filters>
  );
};
