import { Ellipsis } from '../../icons/index.ts';
import type { Store } from '../../api/types.ts';
import { Menu } from '../../parts/menu.tsx';

/** Editable part of a store: its details, or its status. */
export type StoreChange = 'details' | Store['status'];

interface MenuProps {
  readonly store: Store;
  readonly onAsk: (what: StoreChange) => void;
}

export const StoreMenu = ({ store, onAsk }: MenuProps) => {
  const other = store.status === 'Active' ? 'Inactive' : 'Active';
  return (
    <Menu label={<Ellipsis size={17} aria-hidden />} name={`Actions of ${store.name}`} className="icon-button">
      <button type="button" onClick={() => onAsk('details')}>
        Change the name or domain
      </button>
      <button type="button" onClick={() => onAsk(other)}>
        {other === 'Active' ? 'Activate the store' : 'Deactivate the store'}
      </button>
    </Menu>
  );
};
