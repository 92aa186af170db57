import { X } from 'lucide-react';

import { Select } from '../../parts/field.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Period } from '../../parts/period.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { whyRefused } from '../../../src/domain/insight/refusals/why-refused.ts';
import { isFiltered, type RequestChange, type RequestSearch } from './search.ts';

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
  return (
    <div className="row">
      <FilterForm
        what="Refused requests by route"
        label="Route"
        placeholder="Route, as /apps/events"
        maxLength={200}
        value={search.route}
        onChange={(route) => change({ route })}
      />
      <AppSelect storeId={storeId} chosen={search.app} onChange={(app) => change({ app })} />
      <Select
        label="Status"
        options={isListed ? STATUSES : [...STATUSES, [status, status] as const]}
        chosen={status}
        onChange={(chosen) => change({ status: chosen || undefined })}
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
      {isFiltered(search) && (
        <button
          type="button"
          className="button quiet small"
          onClick={() =>
            change({ app: undefined, status: undefined, route: undefined, check: undefined, reason: undefined, since: undefined })
          }
        >
          <X size={14} aria-hidden /> Clear
        </button>
      )}
    </div>
  );
};
