import type { UseQueryResult } from '@tanstack/react-query';

import type { DeliveryPage } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { useMay } from '../../parts/may.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useProductNames } from '../products/use-product-names.ts';
import { choiceColumn } from './choice-column.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { isFiltered, type DeliveryChange, type DeliverySearch } from './search.ts';
import { onThisPage } from '../../parts/plural.ts';
import { NoMatch } from '../../parts/no-match.tsx';

const NoDelivery = ({ hasFilter, isEnd }: { readonly hasFilter: boolean; readonly isEnd: boolean }) => {
  if (!hasFilter) {
    return (
      <Empty title="No deliveries yet">
        A delivery is made when something happens in the store and a subscription wants to know. Change a product, or send a test
        event from the Subscriptions page.
      </Empty>
    );
  }
  return <NoMatch one="delivery" isEnd={isEnd} />;
};

interface ListProps {
  readonly storeId: string;
  readonly list: UseQueryResult<DeliveryPage>;
  readonly search: DeliverySearch;
  readonly go: (change: DeliveryChange) => void;
  readonly arrived: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
}

export const DeliveryList = ({ storeId, list, search, go, arrived, chosen, choose }: ListProps) => {
  const maySend = useMay();
  const productName = useProductNames(
    storeId,
    (list.data?.items ?? []).map(({ eventType, resourceId }) => ({ type: eventType, resourceId })),
  );
  return (
    <Found query={list} lines={8}>
      {({ items, next }) => (
        <>
          {items.length === 0 ? (
            <div className="panel">
              <NoDelivery hasFilter={isFiltered(search)} isEnd={next === null} />
            </div>
          ) : (
            <Table
              label="Deliveries"
              columns={[
                ...(maySend === true ? [choiceColumn(items, chosen, choose)] : []),
                ...deliveryColumns(storeId, search, productName),
              ]}
              rows={items}
              keyOf={({ id }) => id}
              openKey={search.open}
              arrived={arrived}
              onOpen={({ id }) => go({ open: id })}
            />
          )}
          <Pager
            shown={onThisPage(items, 'delivery', 'deliveries')}
            onFirst={search.after === undefined ? null : () => go({ after: undefined })}
            onNext={next === null ? null : () => go({ after: next })}
          />
        </>
      )}
    </Found>
  );
};
