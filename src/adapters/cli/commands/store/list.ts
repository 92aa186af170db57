import type { Store } from '../../../http/schemas/answers.ts';
import { all, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { WIDE_FLAG } from '../../flags.ts';
import { STORE_COLUMNS } from './shown.ts';

export const listStores = adminCommand({
  docs: { brief: 'List the stores', examples: ['tenon store list'] },
  flags: WIDE_FLAG,
  run: async ({ api, print }) => {
    print.list(await all(pages<Store>(api, '/stores')), STORE_COLUMNS);
  },
});
