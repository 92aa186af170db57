import type { Store } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, STORE_ARGUMENT, textFlag, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { shownStore } from './shown.ts';

/** Says what the change ends for the apps of the store. Null if it ends nothing. */
const endedBy = (
  store: Store,
  { domain, status }: { readonly domain?: string | undefined; readonly status?: string | undefined },
) => {
  if (status === 'Inactive' && store.status === 'Active') return `every request of the apps of ${plain(store.domain)} gets 401`;
  if (domain !== undefined && domain.toLowerCase() !== store.domain)
    return `apps that call ${plain(store.domain)} get 401 until they call ${plain(domain)}`;
  return null;
};

export const updateStore = adminCommand({
  docs: {
    brief: 'Change a store',
    about:
      'Once a store is inactive, every request of its apps gets 401. With a new domain, apps must call the new one. ' +
      'The currency of a store cannot be changed: its prices are in it.',
    examples: [
      'tenon store update sunrise.localhost --name Sunrise',
      'tenon store update sunrise.localhost --status Inactive --yes',
    ],
  },
  flags: {
    domain: textFlag('New domain', 'domain'),
    name: textFlag('New name', 'name'),
    status: { ...choiceFlag(['Active', 'Inactive'], 'New status'), optional: true },
    yes: YES_FLAG,
  },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print, context }, { domain, name, status, yes }, named) => {
    if (domain === undefined && name === undefined && status === undefined) {
      throw new CommandFailure('Give what to change: --domain, --name or --status.', EXIT.usage);
    }
    const known = await findStore(api, named);
    const ended = endedBy(known, { domain, status });
    if (ended !== null) await confirm(context, `From the next request, ${ended}.`, yes);
    const store = await api.patch<Store>(`/stores/${known.id}`, { domain, name, status });
    print.one(store, shownStore(store));
  },
});
