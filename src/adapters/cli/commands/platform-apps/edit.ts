import type { PlatformApp, RegisteredApp, RotatedSecret } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { confirmRevoking, ROTATION_FLAGS } from '../app/credentials.ts';
import { scopesFlag } from '../app/install.ts';
import { findPlatformApp, optionalScopesFlag, PLATFORM_APP_ARGUMENT, shownPlatformApp } from './list.ts';

export const editPlatformApp = adminCommand({
  docs: {
    brief: 'Change a platform app',
    about:
      'Scopes that you leave out are taken from every installation. New ones are pending until the merchant of each store accepts them.',
    examples: ['tenon platform-apps edit "Stock sync" --scopes write_inventory,read_products'],
  },
  flags: {
    name: textFlag('New name', 'name'),
    redirectUrls: {
      kind: 'parsed',
      parse: String,
      variadic: ',',
      optional: true,
      placeholder: 'urls',
      brief: 'Redirect URLs, comma-separated (replaces the current ones)',
    },
    scopes: { ...scopesFlag('Required scopes, comma-separated (replaces the current ones)'), optional: true },
    optionalScopes: optionalScopesFlag,
    eventUrl: textFlag('Where the app learns of the life of its installations; an empty text removes it', 'url'),
  },
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print }, { name, redirectUrls, scopes, optionalScopes, eventUrl }, named) => {
    const changes = { name, redirectUrls, scopes, optionalScopes, eventUrl: eventUrl === '' ? null : eventUrl };
    if (Object.values(changes).every((one) => one === undefined))
      throw new CommandFailure(
        'Give what to change: --name, --redirect-urls, --scopes, --optional-scopes or --event-url.',
        EXIT.usage,
      );
    const { id } = await findPlatformApp(api, named);
    const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, changes);
    print.one(app, shownPlatformApp(app));
  },
});

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

export const suspendPlatformApp = adminCommand({
  docs: {
    brief: 'Suspend a platform app on every store',
    about: 'All API calls are refused from the next request on. Deliveries are held.',
    examples: ['tenon platform-apps suspend "Stock sync" --yes'],
  },
  flags: { yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print, context }, { yes }, named) => {
    const { id, name } = await findPlatformApp(api, named);
    await confirm(context, `This stops ${plain(name)} on every store, and holds its deliveries until you resume it.`, yes);
    const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, { status: 'Suspended' });
    print.one(app, shownPlatformApp(app));
  },
});

export const resumePlatformApp = adminCommand({
  docs: {
    brief: 'Resume a suspended platform app',
    about: 'The app can get new tokens on every store, and its deliveries continue.',
    examples: ['tenon platform-apps resume "Stock sync"'],
  },
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print }, _flags: object, named) => {
    const { id } = await findPlatformApp(api, named);
    const app = await api.patch<PlatformApp>(`/platform-apps/${id}`, { status: 'Active' });
    print.one(app, shownPlatformApp(app));
  },
});

const rotating = (kind: 'client' | 'signing', example: string) =>
  adminCommand({
    docs: {
      brief: `Replace the ${kind} secret of a platform app`,
      about: 'For all stores at once. Shows the new secret once. The old one stays valid during the overlap.',
      examples: [example],
    },
    flags: ROTATION_FLAGS,
    positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
    run: async ({ api, print, context }, { overlap, yes }, named) => {
      const { id, name } = await findPlatformApp(api, named);
      await confirmRevoking(context, `${kind} secret of ${plain(name)}`, { overlap, yes });
      const rotated = await api.post<RotatedSecret>(`/platform-apps/${id}/rotate-${kind}-secret`, { overlapSeconds: overlap });
      print.one(rotated, { ...rotated });
      print.say('The new secret is not shown again.');
    },
  });

export const rotatePlatformClientSecret = rotating(
  'client',
  'tenon platform-apps rotate-client-secret "Stock sync" --overlap 3600',
);
export const rotatePlatformSigningSecret = rotating('signing', 'tenon platform-apps rotate-signing-secret "Stock sync"');
