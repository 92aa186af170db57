import type { PlatformApp } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag } from '../../flags.ts';
import { scopesFlag } from '../app/scopes.ts';
import { findPlatformApp, optionalScopesFlag, PLATFORM_APP_ARGUMENT, shownPlatformApp } from './shown.ts';

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
