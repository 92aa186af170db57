import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { appConsoleLink } from './console-code.ts';
import { installation, rotatedClientSecret, rotatedSigningSecret, rotation } from './installation.ts';
import { asListPage, listOfItems } from '../kit/page.ts';
import { newPlatformApp, platformApp, platformAppChanges, platformAppListQuery, registeredApp } from './platform-app.ts';

/** An app is of no store: who changes it changes all of its stores. */
const ALL = { stores: 'all' } as const;
const path = '/admin/platform-apps/:platformAppId';

export const platformAppRoutes = [
  route
    .post('/admin/platform-apps', 'createPlatformApp')
    .admin('Platform apps', ALL)
    .summary(
      'Register a platform app',
      'Makes an app that many stores can install. Returns the client secret and the signing secret, which are shown only once.',
    )
    .body(newPlatformApp)
    .returns(201, registeredApp)
    .refuses('invalid', 'rate_limited')
    .handle(async (app, { body, context }) => namesBusy(context, await app.createPlatformApp(body))),
  route
    .get('/admin/platform-apps', 'listPlatformApps')
    .admin('Platform apps', ALL)
    .summary('List the platform apps', 'Oldest first.')
    .query(platformAppListQuery)
    .returns(200, listOfItems(platformApp, 'PlatformAppPage'))
    .refuses('invalid')
    .handle(async (app, { query: { page } }) => ok(asListPage((await app.listPlatformApps(page)).value))),
  route
    .get(path, 'getPlatformApp')
    .admin('Platform apps', ALL)
    .summary('Get a platform app', 'Without its secrets.')
    .returns(200, platformApp)
    .refuses('not_found')
    .handle((app, { params }) => app.getPlatformApp(params.platformAppId)),
  route
    .patch(path, 'updatePlatformApp')
    .admin('Platform apps', ALL)
    .summary(
      'Change a platform app',
      'The change applies from the next request on every store and every node. The answer comes when scopes that were removed are taken from all installations.',
    )
    .body(platformAppChanges)
    .audits((app, { platformAppId }) => app.getPlatformApp(platformAppId))
    .returns(200, platformApp)
    .refuses('not_found', 'invalid', 'rate_limited')
    .handle(async (app, { params, body, context }) =>
      namesBusy(context, await app.updatePlatformApp(params.platformAppId, body)),
    ),
  route
    .get(`${path}/installations`, 'listPlatformAppInstallations')
    .admin('Platform apps', ALL)
    .summary('List the installations of a platform app', 'On all stores, oldest first, including uninstalled ones.')
    .query(platformAppListQuery)
    .returns(200, listOfItems(installation, 'InstallationPage'))
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query: { page } }) => {
      const listed = await app.listPlatformInstallations(params.platformAppId, page);
      return listed.ok ? ok(asListPage(listed.value)) : listed;
    }),
  route
    .post(`${path}/rotate-client-secret`, 'rotatePlatformAppClientSecret')
    .admin('Platform apps', ALL)
    .summary(
      'Rotate the client secret of a platform app',
      'For all stores at once. The new secret is shown once. The old one stays valid during the overlap.',
    )
    .body(rotation)
    .returns(200, rotatedClientSecret)
    .refuses('not_found', 'invalid')
    .handle((app, { params, body }) => app.rotatePlatformClientSecret(params.platformAppId, body.overlapSeconds)),
  route
    .post(`${path}/rotate-signing-secret`, 'rotatePlatformAppSigningSecret')
    .admin('Platform apps', ALL)
    .summary(
      'Rotate the signing secret of a platform app',
      'For all stores at once. The new secret is shown once. Deliveries carry both signatures during the overlap.',
    )
    .body(rotation)
    .returns(200, rotatedSigningSecret)
    .refuses('not_found', 'invalid')
    .handle((app, { params, body }) => app.rotatePlatformSigningSecret(params.platformAppId, body.overlapSeconds)),
  route
    .post(`${path}/console-codes`, 'createPlatformAppConsoleCode')
    .admin('Platform apps', ALL)
    .summary(
      'Create a link to the app console for a developer',
      'Creates a link that signs the developer of the app in to the app console, with all installations of the app. It works once and for 10 minutes. Returns 409 if the app is suspended, or if APP_CONSOLE is off or SANDBOX_DOMAIN is not set.',
    )
    .returns(201, appConsoleLink)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.createDeveloperCode(params.platformAppId)),
];
