import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import { Download, Upload } from '../../icons/index.ts';
import { API } from '../../api/client.ts';
import { Choice } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { ProductList } from './product-list.tsx';
import { productsQuery } from './queries.ts';
import { PRODUCT_STATUSES, type ProductsSearch } from './search.ts';

const route = getRouteApi('/inside/stores/$storeId/products');

export const ProductsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(productsQuery(storeId, search));
  const go = (change: { readonly [K in keyof ProductsSearch]?: ProductsSearch[K] | undefined }, replace = false): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as ProductsSearch, replace });
  return (
    <Page
      title="Catalogue"
      intro="The products of the store and their stock."
      actions={
        <>
          <a className="button" href={`${API}/stores/${storeId}/products/export`} download="catalogue.ndjson">
            <Download size={15} aria-hidden /> Export
          </a>
          <May>
            <Link to="/stores/$storeId/import" params={{ storeId }} className="button primary">
              <Upload size={15} aria-hidden /> Import
            </Link>
          </May>
        </>
      }
    >
      <div className="row">
        <FilterField
          label="Part of a name or SKU"
          placeholder="Name or SKU"
          filter={search.q ?? ''}
          onChange={(q) => go({ q: q || undefined, skip: undefined }, true)}
        />
        <Choice
          label="Status"
          options={[['', 'All'], ...PRODUCT_STATUSES.map((status) => [status, status] as const)]}
          chosen={search.status ?? ''}
          onChange={(status) => go({ status: status || undefined, skip: undefined })}
        />
      </div>
      <Found query={list} lines={8}>
        {(page) => <ProductList storeId={storeId} page={page} search={search} go={go} />}
      </Found>
    </Page>
  );
};
