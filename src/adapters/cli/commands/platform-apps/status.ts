import type { PlatformApp } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { findPlatformApp, PLATFORM_APP_ARGUMENT, shownPlatformApp } from './shown.ts';

export const suspendPlatformApp = adminCommand({
  docs: {
    brief: 'Suspend a platform app on every store',
    about: 'All API calls are refused from the next request on. Deliveries are held.',
    examples: ['tenon platform-apps suspend "Stock sync" --yes'],
  },
  flags: { yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print, context }, { yes }, named) => {
    const { id, name } = await findPlatformApp(api, named);
    await confirm(context, `This stops ${plain(name)} on every store, and holds its deliveries until you resume it.`, yes);
    const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, { status: 'Suspended' });
    print.one(app, shownPlatformApp(app));
  },
});

export const resumePlatformApp = adminCommand({
  docs: {
    brief: 'Resume a suspended platform app',
    about: 'The app can get new tokens on every store, and its deliveries continue.',
    examples: ['tenon platform-apps resume "Stock sync"'],
  },
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print }, _flags: object, named) => {
    const { id } = await findPlatformApp(api, named);
    const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, { status: 'Active' });
    print.one(app, shownPlatformApp(app));
  },
});
