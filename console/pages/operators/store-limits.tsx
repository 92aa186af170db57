import { useQueries } from '@tanstack/react-query';

import { X } from '../../icons/index.ts';
import { storeQuery } from '../../api/queries.ts';
import { Combobox } from '../../parts/combobox.tsx';
import { STORE_CHOICES } from '../stores/store-choices.ts';

interface LimitsProps {
  /** An empty list is all stores. */
  readonly storeIds: readonly string[];
  readonly onChange: (storeIds: readonly string[]) => void;
}

/** The stores that an operator is limited to, each with a button that takes it away. */
export const StoreLimits = ({ storeIds, onChange }: LimitsProps) => {
  const stores = useQueries({ queries: storeIds.map(storeQuery) });
  return (
    <div className="stack">
      <Combobox
        label="Limit to stores"
        isLabelShown
        choices={STORE_CHOICES}
        chosen={{ id: '', name: storeIds.length === 0 ? 'All stores' : 'Add a store' }}
        onChange={(id) => {
          if (id !== undefined && id !== '' && !storeIds.includes(id)) onChange([...storeIds, id]);
        }}
      />
      {storeIds.length > 0 && (
        <div className="row">
          {storeIds.map((id, index) => {
            const name = stores[index]?.data?.name ?? '…';
            return (
              <button
                key={id}
                type="button"
                className="chip"
                aria-pressed="true"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(storeIds.filter((other) => other !== id))}
              >
                {name} <X size={13} aria-hidden />
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
};
