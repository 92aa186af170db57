import type { Installation } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { APP_ARGUMENT, STORE_FLAG, textFlag } from '../../flags.ts';
import { scopesFlag } from './scopes.ts';
import { shownApp } from './shown.ts';

export const updateApp = adminCommand({
  docs: {
    brief: 'Change the name or the scopes of an app',
    about: 'The change applies from the next request on every node.',
    examples: ['tenon app update "Stock sync" --scopes read_products'],
  },
  flags: {
    store: STORE_FLAG,
    name: textFlag('New name', 'name'),
    scopes: { ...scopesFlag('Scopes, comma-separated (replaces the current ones)'), optional: true },
  },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store, name, scopes }, named) => {
    if (name === undefined && scopes === undefined)
      throw new CommandFailure('Give what to change: --name or --scopes.', EXIT.usage);
    const { id } = await findApp(api, named, store);
    const app = await api.patch<Installation>(`/apps/${id}`, { name, scopes });
    print.one(app, shownApp(app));
  },
});
