import { DEFAULT_CURRENCY } from '../../../../domain/identity/store.ts';
import type { Store } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { textFlag } from '../../flags.ts';
import { shownStore } from './shown.ts';

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
