import { Link, useNavigate } from '@tanstack/react-router';

import type { Page, ProductListItem } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { productColumns } from './product-columns.tsx';
import { skipOf, TAKE } from './queries.ts';
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
  const last = skip + items.length;
  return (
    <>
      <Table
        label="Products"
        columns={productColumns(storeId)}
        rows={items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/stores/$storeId/products/$productId', params: { storeId, productId: id } })}
      />
      <Pager
        shown={
          items.length === 0
            ? `${total.toLocaleString()} in all`
            : `${(skip + 1).toLocaleString()} to ${last.toLocaleString()} of ${total.toLocaleString()}`
        }
        first="Previous"
        next="Next"
        onFirst={skip === 0 ? null : () => go({ skip: skip > TAKE ? String(skip - TAKE) : undefined })}
        onNext={last >= total ? null : () => go({ skip: String(skip + TAKE) })}
      />
    </>
  );
};
