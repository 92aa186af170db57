import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_ARGUMENT } from '../../flags.ts';
import { shownStore } from './shown.ts';

export const getStore = adminCommand({
  docs: { brief: 'Show a store', examples: ['tenon store get sunrise.localhost'] },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print }, _flags: object, named) => {
    const store = await findStore(api, named);
    print.one(store, shownStore(store));
  },
});
