import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { PlatformApp, Installation } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { all, pages } from '../../admin/find.ts';
import { withIdPrefix, isIdPrefix } from '../../admin/id-prefix.ts';
import { adminCommand } from '../../command.ts';
import { platformAppNames } from '../../completions.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { WIDE_FLAG } from '../../flags.ts';
import type { Cell } from '../../output/table.ts';
import { scopesFlag } from '../app/install.ts';

export const shownPlatformApp = (app: PlatformApp): Readonly<Record<string, Cell>> => ({
  ...app,
  redirectUrls: app.redirectUrls.join(' '),
  scopes: app.scopes.join(' '),
  optionalScopes: app.optionalScopes.join(' '),
});

export const PLATFORM_APP_ARGUMENT = {
  parse: String,
  placeholder: 'platform-app',
  brief: 'Id, client id or name of the platform app',
  proposeCompletions: platformAppNames,
} as const;

export const optionalScopesFlag = {
  ...scopesFlag('Scopes that a merchant may leave out, comma-separated'),
  optional: true,
} as const;

/** The app that a person means: by the id, its beginning, the client id, or the name. */
export const findPlatformApp = async (api: AdminApi, named: string): Promise<PlatformApp> => {
  const id = parseUuid(named);
  if (id !== null) return api.get<PlatformApp>(`/platform-apps/${id}`);
  const apps = await all(pages<PlatformApp>(api, '/platform-apps'));
  const found = apps.filter(({ name, clientId }) => name === named || clientId === named);
  const [only = isIdPrefix(named) ? withIdPrefix(apps, named) : undefined] = found;
  if (only === undefined)
    throw new CommandFailure(`There is no platform app ${named}. See tenon platform-apps list.`, EXIT.notFound);
  if (found.length > 1)
    throw new CommandFailure(`There are ${String(found.length)} platform apps named ${named}. Name one by its id.`, EXIT.usage);
  return only;
};

export const listPlatformApps = adminCommand({
  docs: {
    brief: 'List the platform apps',
    about: 'Oldest first.',
    examples: ['tenon platform-apps list'],
  },
  flags: WIDE_FLAG,
  run: async ({ api, print }) => {
    print.list(await all(pages<PlatformApp>(api, '/platform-apps')), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'name', of: (app) => app.name },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 2 },
      { name: 'optional', of: (app) => app.optionalScopes.join(' '), drop: 1 },
    ]);
  },
});

export const listInstallations = adminCommand({
  docs: {
    brief: 'List the installations of a platform app',
    about: 'On all stores, oldest first, including uninstalled ones.',
    examples: ['tenon platform-apps installations "Stock sync"'],
  },
  flags: WIDE_FLAG,
  positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
  run: async ({ api, print }, _flags, named) => {
    const { id } = await findPlatformApp(api, named);
    print.list(await all(pages<Installation>(api, `/platform-apps/${id}/installations`)), [
      { name: 'id', of: (app) => app.id, kind: 'id' },
      { name: 'store', of: (app) => app.storeId, kind: 'id' },
      { name: 'status', of: (app) => app.status },
      { name: 'scopes', of: (app) => app.scopes.join(' '), drop: 1 },
    ]);
  },
});
