import { plural } from '../../../../domain/values/plural.ts';
import type { Installation, UninstallPreview } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_ARGUMENT, STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { shownApp } from './list.ts';

export const suspendApp = adminCommand({
  docs: {
    brief: 'Suspend an app',
    about: 'Revokes its tokens and holds its deliveries.',
    examples: ['tenon app suspend "Stock sync" --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print, context }, { store, yes }, named) => {
    const { id, name } = await findApp(api, named, store);
    await confirm(context, `This revokes the tokens of ${plain(name)} and holds its deliveries until you resume it.`, yes);
    const app = await api.patch<Installation>(`/apps/${id}`, { status: 'Suspended' });
    print.one(app, shownApp(app));
  },
});

export const resumeApp = adminCommand({
  docs: {
    brief: 'Resume a suspended app',
    about: 'The app can get new tokens with its client secret, and its deliveries continue.',
    examples: ['tenon app resume "Stock sync"'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store }, named) => {
    const { id } = await findApp(api, named, store);
    const app = await api.patch<Installation>(`/apps/${id}`, { status: 'Installed' });
    print.one(app, shownApp(app));
  },
});

export const uninstallApp = adminCommand({
  docs: {
    brief: 'Uninstall an app',
    about: 'Revokes its tokens, removes its subscriptions and drops its queued deliveries. This cannot be undone.',
    examples: ['tenon app uninstall "Stock sync" --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print, context }, { store, yes }, named) => {
    const { id, name } = await findApp(api, named, store);
    const ends = await api.get<UninstallPreview>(`/apps/${id}/uninstall-preview`);
    const least = ends.isComplete ? '' : 'at least ';
    const effects = `${least}${plural(ends.tokens, 'token')}, ${plural(ends.subscriptions, 'subscription')}, ${plural(ends.deliveries, 'queued delivery', 'queued deliveries')}`;
    await confirm(context, `This uninstalls ${plain(name)} and ends ${effects}. It cannot be undone.`, yes);
    await api.post(`/apps/${id}/uninstall`);
    print.one({ id, status: 'Uninstalled' }, { id, status: 'Uninstalled' });
  },
});
