import type { UninstallPreview } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_ARGUMENT, STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { plural } from '../../../../domain/values/plural.ts';

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
