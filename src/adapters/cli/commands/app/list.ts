import { INSTALLATION_STATUSES } from '../../../../domain/identity/installation.ts';
import type { Installation } from '../../../http/answers.ts';
import { all, findStore, pages, findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { choiceFlag, STORE_FLAG, textFlag, WIDE_FLAG, APP_ARGUMENT } from '../../flags.ts';
import type { Cell } from '../../output/table.ts';

export const listApps = adminCommand({
  docs: {
    brief: 'List the apps of a store',
    about: 'Lists every installation, including uninstalled ones, oldest first.',
    examples: ['tenon app list --store sunrise.localhost', 'tenon app list --search stock --status Installed'],
  },
  flags: {
    store: STORE_FLAG,
    search: textFlag('Only apps with this text in their name, client id or id', 'text'),
    status: { ...choiceFlag(INSTALLATION_STATUSES, 'Only apps with this status'), optional: true },
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, search: q, status }) => {
    const { id } = await findStore(api, store);
    print.list(await all(pages<Installation>(api, `/stores/${id}/apps`, { q, status })), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'name', of: (app) => app.name },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 1 },
    ]);
  },
});

export const shownApp = (app: Installation): Readonly<Record<string, Cell>> => ({ ...app, scopes: app.scopes.join(' ') });

export const getApp = adminCommand({
  docs: { brief: 'Show an app', examples: ['tenon app get "Demo app"'] },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store }, named) => {
    const app = await findApp(api, named, store);
    print.one(app, shownApp(app));
  },
});
