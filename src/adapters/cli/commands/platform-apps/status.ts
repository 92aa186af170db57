import type { PlatformApp } from '../../../http/schemas/answers.ts';
import { adminCommand, type Docs } from '../../command.ts';
import { findPlatformApp, PLATFORM_APP_ARGUMENT, shownPlatformApp } from './shown.ts';

const settingStatus = (status: PlatformApp['status'], docs: Docs) =>
  adminCommand({
    docs,
    flags: {},
    positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
    run: async ({ api, print }, _flags, named) => {
      const { id } = await findPlatformApp(api, named);
      const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, { status });
      print.one(app, shownPlatformApp(app));
    },
  });

export const suspendPlatformApp = settingStatus('Suspended', {
  brief: 'Suspend a platform app on every store',
  about: 'From the next request, no installation may call. Deliveries are held.',
  examples: ['tenon platform-apps suspend "Stock sync"'],
});

export const resumePlatformApp = settingStatus('Active', {
  brief: 'Resume a suspended platform app',
  about: 'The app can get new tokens on every store, and its deliveries continue.',
  examples: ['tenon platform-apps resume "Stock sync"'],
});
