import type { InstalledApp } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG } from '../../flags.ts';
import { scopesFlag } from './scopes.ts';

export const installApp = adminCommand({
  docs: {
    brief: 'Install an app on a store',
    about: 'Shows the client secret and the signing secret. They are not shown again.',
    examples: ['tenon app install "Stock sync" --scopes read_products,write_products'],
  },
  flags: {
    store: STORE_FLAG,
    scopes: scopesFlag('Scopes of the app, comma-separated'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the app' }] },
  run: async ({ api, print }, { store, scopes }, name) => {
    const { id } = await findStore(api, store);
    const installed = await api.post<InstalledApp>(`/stores/${id}/apps`, { name, scopes });
    const { installation, clientId, clientSecret, signingSecret } = installed;
    print.one(installed, { id: installation.id, name: installation.name, clientId, clientSecret, signingSecret });
    print.say('The two secrets are not shown again.');
  },
});
