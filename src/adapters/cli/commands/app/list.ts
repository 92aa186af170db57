import type { Installation } from '../../../http/schemas/answers.ts';
import { all, findStore, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

export const listApps = adminCommand({
  docs: {
    brief: 'List the apps of a store',
    about: 'Lists every installation, including uninstalled ones.',
    examples: ['tenon app list --store sunrise.localhost'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { store }) => {
    const { id } = await findStore(api, store);
    print.list(await all(pages<Installation>(api, `/stores/${id}/apps`)), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'name', of: (app) => app.name },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 1 },
    ]);
  },
});
