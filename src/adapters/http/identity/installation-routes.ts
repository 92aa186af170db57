import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { appConsoleLink } from './console-code.ts';
import {
  installation,
  installationChanges,
  installationListQuery,
  installedApp,
  newApp,
  rotatedClientSecret,
  rotatedSigningSecret,
  rotation,
  uninstallPreview,
} from './installation.ts';
import { asListPage, listOfItems } from '../kit/page.ts';

export const installationRoutes = [
  route
    .post('/admin/stores/:storeId/apps', 'installApp')
    .admin('Apps')
    .summary('Install an app', 'Returns the client secret and the signing secret, which are shown only once.')
    .body(newApp)
    .returns(201, installedApp)
    .refuses('not_found')
    .handle((app, { params, body }) => app.installApp(params.storeId, body)),
  route
    .get('/admin/stores/:storeId/apps', 'listApps')
    .admin('Apps')
    .summary(
      'List the apps of a store',
      'Lists the installations that match every filter, oldest first. By default, also lists uninstalled ones.',
    )
    .query(installationListQuery)
    .returns(200, listOfItems(installation, 'InstallationPage'))
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query: { page, filter } }) => {
      const { id: ids, status: statuses, q } = filter;
      const listed = await app.listInstallations(params.storeId, page, { q, statuses, ids });
      return listed.ok ? ok(asListPage(listed.value)) : listed;
    }),
  route
    .get('/admin/apps/:installationId', 'getApp')
    .admin('Apps')
    .summary('Get an installation', 'Returns an installation of any status, without its secrets.')
    .returns(200, installation)
    .refuses('not_found')
    .handle((app, { params }) => app.getInstallation(params.installationId)),
  route
    .patch('/admin/apps/:installationId', 'updateApp')
    .admin('Apps')
    .summary(
      'Change an installation',
      'The change applies from the next request on every node. Returns 409 if the app is uninstalled, which is final.',
    )
    .body(installationChanges)
    .audits((app, { installationId }) => app.getInstallation(installationId))
    .returns(200, installation)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.updateInstallation(params.installationId, body)),
  route
    .get('/admin/apps/:installationId/uninstall-preview', 'previewUninstall')
    .admin('Apps')
    .summary('Preview an uninstall', 'Counts what an uninstall would remove now. Changes nothing.')
    .returns(200, uninstallPreview)
    .refuses('not_found')
    .handle((app, { params }) => app.previewUninstall(params.installationId)),
  route
    .post('/admin/apps/:installationId/uninstall', 'uninstallApp')
    .admin('Apps')
    .summary(
      'Uninstall an app',
      'Revokes the tokens of the app and removes its subscriptions. Repeating the request returns 204.',
    )
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params, cause }) => app.uninstallApp(cause, params.installationId)),
  route
    .post('/admin/apps/:installationId/revoke-tokens', 'revokeAppTokens')
    .admin('Apps')
    .summary('Revoke every access token of an app', 'The app can still request new tokens with its client secret.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.revokeTokens(params.installationId)),
  route
    .post('/admin/apps/:installationId/rotate-client-secret', 'rotateClientSecret')
    .admin('Apps')
    .summary(
      'Rotate the client secret',
      'The new secret is shown once. The old one stays valid during the overlap. Returns 409 if the app is uninstalled.',
    )
    .body(rotation)
    .returns(200, rotatedClientSecret)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.rotateClientSecret(params.installationId, body.overlapSeconds)),
  route
    .post('/admin/apps/:installationId/rotate-signing-secret', 'rotateSigningSecret')
    .admin('Apps')
    .summary(
      'Rotate the signing secret',
      'The new secret is shown once. Deliveries carry both signatures during the overlap. Returns 409 if the app is uninstalled.',
    )
    .body(rotation)
    .returns(200, rotatedSigningSecret)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.rotateSigningSecret(params.installationId, body.overlapSeconds)),
  route
    .post('/admin/apps/:installationId/console-codes', 'createAppConsoleCode')
    .admin('Apps')
    .summary(
      'Create a link to the console of an app',
      "Creates a link that signs a developer of the app in to its console on the store's domain. It works once and for 10 minutes. Returns 409 if the app may not call the API, or if APP_CONSOLE is off.",
    )
    .returns(201, appConsoleLink)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.createAppConsoleCode(params.installationId)),
];
