import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_ARGUMENT, STORE_FLAG } from '../../flags.ts';
import { shownApp } from './shown.ts';

export const getApp = adminCommand({
  docs: { brief: 'Show an app', examples: ['tenon app get "Demo app"'] },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store }, named) => {
    const app = await findApp(api, named, store);
    print.one(app, shownApp(app));
  },
});
