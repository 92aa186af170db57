import type { Store } from '../../../http/answers.ts';
import type { Cell, TableColumn } from '../../output/table.ts';

export const STORE_COLUMNS: readonly TableColumn<Store>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'domain', of: ({ domain }) => domain },
  { name: 'name', of: ({ name }) => name, drop: 2 },
  { name: 'currency', of: ({ currency }) => currency, drop: 1 },
  { name: 'status', of: ({ status }) => status },
  { name: 'kind', of: ({ sandboxAppId }) => (sandboxAppId === null ? 'merchant' : 'sandbox') },
];

export const shownStore = (store: Store): Readonly<Record<string, Cell>> => ({ ...store });
