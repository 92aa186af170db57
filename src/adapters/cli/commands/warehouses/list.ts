import type { Warehouse } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

export const listWarehouses = adminCommand({
  docs: {
    brief: 'List the warehouses of a store',
    about:
      'Lists the warehouses that have stock, and those with a name, a code or a country. Without a name, the id is the name.',
    examples: ['tenon warehouses list', "tenon warehouses list --json | jq -r '.name'"],
  },
  flags: { store: STORE_FLAG, limit: LIMIT_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { store, limit }) => {
    const { id: storeId } = await findStore(api, store);
    print.list(await firstItems<Warehouse>(api, `/stores/${storeId}/warehouses`, {}, limit), [
      { name: 'id', of: ({ id }) => id, kind: 'whole' },
      { name: 'name', of: ({ name }) => name, least: 16 },
      { name: 'code', of: ({ code }) => code, drop: 1 },
      { name: 'country', of: ({ country }) => country, drop: 2 },
    ]);
  },
});
