import type { RegisteredApp } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { textFlag } from '../../flags.ts';
import { scopesFlag } from '../app/scopes.ts';
import { optionalScopesFlag } from './shown.ts';

export const addPlatformApp = adminCommand({
  docs: {
    brief: 'Register an app that many stores can install',
    about: 'Shows the client secret and the signing secret, which are the same on every store. They are not shown again.',
    examples: [
      'tenon platform-apps add "Stock sync" --redirect-urls https://stock.example.com/installed --scopes write_inventory --optional-scopes read_orders',
    ],
  },
  flags: {
    redirectUrls: {
      kind: 'parsed',
      parse: String,
      variadic: ',',
      placeholder: 'urls',
      brief: 'Where merchants return to after their decision, comma-separated',
    },
    scopes: scopesFlag('Scopes that the app requires, comma-separated'),
    optionalScopes: optionalScopesFlag,
    eventUrl: textFlag('Where the app learns of the life of its installations', 'url'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the app' }] },
  run: async ({ api, print }, { redirectUrls, scopes, optionalScopes, eventUrl }, name) => {
    const registered = await api.post<RegisteredApp>('/platform-apps', { name, redirectUrls, scopes, optionalScopes, eventUrl });
    const { app, clientId, clientSecret, signingSecret } = registered;
    print.one(registered, { id: app.id, name: app.name, clientId, clientSecret, signingSecret });
    print.say('The two secrets are not shown again.');
  },
});
