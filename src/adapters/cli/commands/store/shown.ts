import type { Store } from '../../../http/schemas/answers.ts';
import type { Cell, Column } from '../../output/table.ts';

export const STORE_COLUMNS: readonly Column<Store>[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'domain', of: ({ domain }) => domain },
  { name: 'name', of: ({ name }) => name },
  { name: 'currency', of: ({ currency }) => currency },
  { name: 'status', of: ({ status }) => status },
];

export const shownStore = (store: Store): Readonly<Record<string, Cell>> => ({ ...store });
