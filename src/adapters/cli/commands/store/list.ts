import { STORE_STATUSES } from '../../../../domain/identity/store.ts';
import type { Store } from '../../../http/answers.ts';
import { all, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { choiceFlag, textFlag, WIDE_FLAG } from '../../flags.ts';
import { STORE_COLUMNS } from './shown.ts';

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
