import { STORE_STATUSES } from '../../../../domain/identity/store.ts';
import type { Store } from '../../../http/answers.ts';
import { all, pages, findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { choiceFlag, textFlag, WIDE_FLAG, STORE_ARGUMENT } from '../../flags.ts';
import type { Cell, TableColumn } from '../../output/table.ts';

const STORE_COLUMNS: readonly TableColumn<Store>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'domain', of: ({ domain }) => domain },
  { name: 'name', of: ({ name }) => name, drop: 2 },
  { name: 'currency', of: ({ currency }) => currency, drop: 1 },
  { name: 'status', of: ({ status }) => status },
  { name: 'kind', of: ({ sandboxAppId }) => (sandboxAppId === null ? 'merchant' : 'sandbox') },
];

export const shownStore = (store: Store): Readonly<Record<string, Cell>> => ({ ...store });

export const listStores = adminCommand({
  docs: { brief: 'List the stores', examples: ['tenon store list', 'tenon store list --search sunrise --status Active'] },
  flags: {
    search: textFlag('Only stores with this text in their name, domain or id', 'text'),
    status: { ...choiceFlag(STORE_STATUSES, 'Only stores with this status'), optional: true },
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { search: q, status }) => {
    print.list(await all(pages<Store>(api, '/stores', { q, status })), STORE_COLUMNS);
  },
});

export const getStore = adminCommand({
  docs: { brief: 'Show a store', examples: ['tenon store get sunrise.localhost'] },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print }, _flags: object, named) => {
    const store = await findStore(api, named);
    print.one(store, shownStore(store));
  },
});
