import { Link, useNavigate } from '@tanstack/react-router';

import { skipOf } from '../../api/search.ts';
import type { Page, ProductListItem } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { SkipPager } from '../../parts/skip-pager.tsx';
import { Table } from '../../parts/table.tsx';
import { productColumns } from './product-columns.tsx';
import { TAKE } from './queries.ts';
import type { ProductsSearch } from './search.ts';

const NoProduct = ({ storeId, hasFilter }: { readonly storeId: string; readonly hasFilter: boolean }) => (
  <div className="panel">
    {hasFilter ? (
      <Empty title="No product matches">Change or clear the search.</Empty>
    ) : (
      <Empty
        title="No products yet"
        actions={
          <May>
            <Link to="/stores/$storeId/import" params={{ storeId }} className="button primary">
              Import products
            </Link>
          </May>
        }
      >
        Import a Shopify product export, or a file of product documents.
      </Empty>
    )}
  </div>
);

interface ListProps {
  readonly storeId: string;
  readonly page: Page<ProductListItem>;
  readonly search: ProductsSearch;
  readonly go: (change: { readonly skip: string | undefined }) => void;
}

export const ProductList = ({ storeId, page: { items, total }, search, go }: ListProps) => {
  const navigate = useNavigate();
  const skip = skipOf(search);
  if (items.length === 0 && skip === 0) {
    return <NoProduct storeId={storeId} hasFilter={search.q !== undefined || search.status !== undefined} />;
  }
  return (
    <>
      <Table
        label="Products"
        columns={productColumns(storeId)}
        rows={items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/stores/$storeId/products/$productId', params: { storeId, productId: id } })}
      />
      <SkipPager skip={skip} shown={items.length} take={TAKE} total={total} onSkip={(to) => go({ skip: to })} />
    </>
  );
};
