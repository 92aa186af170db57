import type { Installation } from '../../../http/schemas/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand, type Docs } from '../../command.ts';
import { APP_ARGUMENT, STORE_FLAG } from '../../flags.ts';
import { shownApp } from './shown.ts';

const settingStatus = (status: Installation['status'], docs: Docs) =>
  adminCommand({
    docs,
    flags: { store: STORE_FLAG },
    positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
    run: async ({ api, print }, { store }, named) => {
      const { id } = await findApp(api, named, store);
      const app = await api.patch<Installation>(`/apps/${id}`, { status });
      print.one(app, shownApp(app));
    },
  });

export const suspendApp = settingStatus('Suspended', {
  brief: 'Suspend an app',
  about: 'Revokes its tokens and holds its deliveries.',
  examples: ['tenon app suspend "Stock sync"'],
});

export const resumeApp = settingStatus('Installed', {
  brief: 'Resume a suspended app',
  about: 'The app can get new tokens with its client secret, and its deliveries continue.',
  examples: ['tenon app resume "Stock sync"'],
});
