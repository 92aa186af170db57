import type { Installation, PlatformApp } from '../../../http/answers.ts';
import { all, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { WIDE_FLAG } from '../../flags.ts';
import { findPlatformApp, PLATFORM_APP_ARGUMENT } from './shown.ts';

export const listPlatformApps = adminCommand({
  docs: {
    brief: 'List the platform apps',
    about: 'Oldest first.',
    examples: ['tenon platform-apps list'],
  },
  flags: WIDE_FLAG,
  run: async ({ api, print }) => {
    print.list(await all(pages<PlatformApp>(api, '/platform-apps')), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'name', of: (app) => app.name },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 2 },
      { name: 'optional', of: (app) => app.optionalScopes.join(' '), drop: 1 },
    ]);
  },
});

export const listInstallations = adminCommand({
  docs: {
    brief: 'List the installations of a platform app',
    about: 'On all stores, oldest first, including uninstalled ones.',
    examples: ['tenon platform-apps installations "Stock sync"'],
  },
  flags: WIDE_FLAG,
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print }, _flags, named) => {
    const { id } = await findPlatformApp(api, named);
    print.list(await all(pages<Installation>(api, `/platform-apps/${id}/installations`)), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'store', of: (app) => app.storeId, kind: 'id' },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 1 },
    ]);
  },
});
