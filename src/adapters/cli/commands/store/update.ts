import { DEFAULT_CURRENCY } from '../../../../domain/identity/store.ts';
import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { Store, StoreErasure } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, STORE_ARGUMENT, textFlag, YES_FLAG } from '../../flags.ts';
import { confirm, askFor } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { shownStore } from './list.ts';

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

export const createStore = adminCommand({
  docs: {
    brief: 'Create a store',
    about: 'The currency of a store cannot be changed later: its prices are in it.',
    examples: ['tenon store create sunrise.localhost --name Sunrise --currency EUR'],
  },
  flags: {
    name: textFlag('Name of the store; the domain by default', 'name'),
    currency: textFlag(`ISO 4217 code of its currency; ${DEFAULT_CURRENCY} by default`, 'code'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'domain', brief: 'Host that the apps call' }] },
  run: async ({ api, print }, { name, currency }, domain) => {
    const store = await api.post<Store>('/stores', { domain, name, currency });
    print.one(store, shownStore(store));
    if (currency === undefined)
      print.say(
        `The currency is ${store.currency}, the default. It cannot be changed later: for another, create the store with --currency.`,
      );
  },
});

export const deleteStore = adminCommand({
  docs: {
    brief: 'Erase a store and everything in it',
    about:
      'Permanently erases its catalogue, apps, events, deliveries, logs and media files. To confirm, type the domain of the store or give it with --confirm. ' +
      'Immediately, nothing gets in or out of the store, and its domain becomes available. Rows and files are erased in batches, which takes at least a minute. ' +
      'Repeat the command with the id of the store to see the progress.',
    examples: ['tenon store delete sunrise.localhost --confirm sunrise.localhost'],
  },
  flags: { confirm: textFlag('The domain of the store, to confirm', 'domain') },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print, context }, { confirm: given }, named) => {
    const known = given === undefined ? null : parseUuid(named);
    // A store that is being erased is not found any more, but by this request.
    const { id, domain } = known !== null && given !== undefined ? { id: known, domain: given } : await findStore(api, named);
    const question = `This erases the store ${plain(domain)} and everything in it. It cannot be undone.`;
    const confirm = given ?? (await askFor(context, question, { what: 'the domain of the store', flag: '--confirm' }));
    const erasure = await api.delete<StoreErasure>(`/stores/${id}`, { confirm });
    print.one(erasure, { ...erasure });
  },
});
