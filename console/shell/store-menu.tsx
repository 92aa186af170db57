import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Store as StoreIcon } from 'lucide-react';

import { storesQuery } from '../api/queries.ts';
import { Menu } from '../parts/menu.tsx';

/** The store that the pages are about, and the way to another. */
export const StoreMenu = ({ storeId }: { readonly storeId: string }) => {
  const stores = useQuery(storesQuery);
  const current = stores.data?.items.find(({ id }) => id === storeId);
  return (
    <Menu
      className="button quiet"
      name={`Store: ${current?.name ?? 'unknown'}. Choose another`}
      label={
        <>
          <StoreIcon size={16} aria-hidden />
          <span className="clip" style={{ maxWidth: '18ch' }}>
            {current?.name ?? '…'}
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </>
      }
    >
      {stores.data?.items.map(({ id, name, domain }) => (
        <Link key={id} to="/stores/$storeId" params={{ storeId: id }} aria-current={id === storeId}>
          <span className="grow">
            {name} <span className="mute">{domain}</span>
          </span>
          {id === storeId && <Check size={15} aria-hidden />}
        </Link>
      ))}
      <Link to="/stores">All stores</Link>
    </Menu>
  );
};
