import { ALL_SCOPES } from '../../../../domain/identity/scope.ts';
import type { InstalledApp, Installation } from '../../../http/answers.ts';
import { findStore, findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, APP_ARGUMENT, textFlag } from '../../flags.ts';
import { shownApp } from './list.ts';

const parseScopes = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** The last scope of the list is completed, behind those before it. */
const scopeNames = (partial: string): Promise<readonly string[]> => {
  const before = /^.*[\s,]/.exec(partial)?.[0] ?? '';
  const named = parseScopes(before);
  const found = ALL_SCOPES.filter((scope) => !named.includes(scope)).map((scope) => before + scope);
  return Promise.resolve(found.filter((value) => value.startsWith(partial)));
};

export const scopesFlag = (brief: string) =>
  ({ kind: 'parsed', parse: parseScopes, placeholder: 'scopes', proposeCompletions: scopeNames, brief }) as const;

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

export const updateApp = adminCommand({
  docs: {
    brief: 'Change the name or the scopes of an app',
    about: 'The change applies from the next request on every node.',
    examples: ['tenon app update "Stock sync" --scopes read_products'],
  },
  flags: {
    store: STORE_FLAG,
    name: textFlag('New name', 'name'),
    scopes: { ...scopesFlag('Scopes, comma-separated (replaces the current ones)'), optional: true },
  },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store, name, scopes }, named) => {
    if (name === undefined && scopes === undefined)
      throw new CommandFailure('Give what to change: --name or --scopes.', EXIT.usage);
    const { id } = await findApp(api, named, store);
    const app = await api.patch<Installation>(`/apps/${id}`, { name, scopes });
    print.one(app, shownApp(app));
  },
});
