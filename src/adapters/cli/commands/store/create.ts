import type { Store } from '../../../http/schemas/answers.ts';
import { adminCommand } from '../../command.ts';
import { textFlag } from '../../flags.ts';
import { shownStore } from './shown.ts';

export const createStore = adminCommand({
  docs: {
    brief: 'Create a store',
    examples: ['tenon store create sunrise.localhost --name Sunrise --currency EUR'],
  },
  flags: { name: textFlag('Name of the store', 'name'), currency: textFlag('ISO 4217 code of its currency', 'code') },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'domain', brief: 'Host that the apps call' }] },
  run: async ({ api, print }, { name, currency }, domain) => {
    const store = await api.post<Store>('/stores', { domain, name, currency });
    print.one(store, shownStore(store));
  },
});
