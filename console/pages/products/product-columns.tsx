import { Link } from '@tanstack/react-router';

import type { ProductListItem } from '../../api/types.ts';
import { None, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { Initials, priceText, ProductBadge } from './words.tsx';

const Price = ({ currency, minPrice, maxPrice }: ProductListItem) => {
  if (currency === null || minPrice === null) return <None />;
  const from = priceText(minPrice, currency);
  return maxPrice === null || maxPrice === minPrice ? from : `${from} to ${priceText(maxPrice, currency)}`;
};

export const productColumns = (storeId: string): readonly Column<ProductListItem>[] => [
  {
    name: 'Product',
    cell: ({ id, name, slug }) => (
      <span className="with-initials">
        <Initials name={name} />
        <span>
          <Link to="/stores/$storeId/products/$productId" params={{ storeId, productId: id }} className="clip" title={name}>
            {name}
          </Link>
          <span className="clip mute">{slug}</span>
        </span>
      </span>
    ),
  },
  { name: 'Status', kind: 'tight', cell: ({ status }) => <ProductBadge status={status} /> },
  {
    name: 'Category',
    cell: ({ categoryName }) => <span className="clip mute">{categoryName ?? '–'}</span>,
  },
  { name: 'Price', kind: 'num', cell: (product) => <Price {...product} /> },
  {
    name: 'Stock',
    kind: 'num',
    cell: ({ totalInventory }) => (
      <span className={totalInventory <= 0 ? 'tone-bad' : undefined}>{totalInventory.toLocaleString()}</span>
    ),
  },
  { name: 'Variants', kind: 'num', cell: ({ variantCount }) => variantCount },
  { name: 'Changed', kind: 'time', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];
