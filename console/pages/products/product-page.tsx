import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import { Choice } from '../../parts/field.tsx';
import { Found } from '../../parts/found.tsx';
import { Json } from '../../parts/json.tsx';
import { Page } from '../../parts/page.tsx';
import { ProductDetails } from './product-details.tsx';
import { productQuery } from './queries.ts';
import { ProductBadge } from './words.tsx';

const route = getRouteApi('/inside/stores/$storeId/products/$productId');

export const ProductPage = () => {
  const { storeId, productId } = route.useParams();
  const { tab = 'details' } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(productQuery(storeId, productId));
  const product = found.data;
  return (
    <Page
      title={product?.name ?? 'Product'}
      beside={product && <ProductBadge status={product.status} />}
      intro="The product as apps read it."
      actions={
        <>
          <Link to="/stores/$storeId/events" params={{ storeId }} search={{ resource: productId }} className="button">
            Its events
          </Link>
          <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ resource: productId }} className="button">
            Its deliveries
          </Link>
          <Link to="/stores/$storeId/products" params={{ storeId }} className="button">
            All products
          </Link>
        </>
      }
    >
      <Found query={found} lines={8}>
        {(data) => (
          <>
            <div>
              <Choice
                label="View"
                options={[
                  ['details', 'Details'],
                  ['json', 'JSON'],
                ]}
                chosen={tab}
                onChange={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
              />
            </div>
            {tab === 'json' ? <Json value={data} what="the product" /> : <ProductDetails product={data} />}
          </>
        )}
      </Found>
    </Page>
  );
};
