import { z } from 'zod';

import { route, uuid } from '../../route.ts';
import {
  installation,
  installationChanges,
  installedApp,
  newApp,
  rotatedClientSecret,
  rotatedSigningSecret,
  rotation,
} from '../../schemas/installation.ts';
import { pageOfItems, pageQuery } from '../../schemas/page.ts';

const storeParams = z.object({ storeId: uuid });
const installationParams = z.object({ installationId: uuid });

export const appRoutes = [
  route
    .post('/admin/stores/:storeId/apps')
    .admin()
    .tag('Apps')
    .summary('Install an app', 'Client id, client secret and signing secret are shown this once.')
    .params(storeParams)
    .body(newApp)
    .returns(201, installedApp)
    .refuses('not_found')
    .handle((app, { params, body }) => app.installApp(params.storeId, body)),
  route
    .get('/admin/stores/:storeId/apps')
    .admin()
    .tag('Apps')
    .summary('List the apps of a store', 'By installation, the uninstalled included.')
    .params(storeParams)
    .query(pageQuery)
    .returns(200, pageOfItems(installation, 'InstallationPage'))
    .refuses('not_found')
    .handle((app, { params, query }) => app.listInstallations(params.storeId, query)),
  route
    .get('/admin/apps/:installationId')
    .admin()
    .tag('Apps')
    .summary('Read an installation', 'By its id, of any status; its secrets are not shown.')
    .params(installationParams)
    .returns(200, installation)
    .refuses('not_found')
    .handle((app, { params }) => app.getInstallation(params.installationId)),
  route
    .patch('/admin/apps/:installationId')
    .admin()
    .tag('Apps')
    .summary(
      'Change an installation',
      'Takes hold from the next request on every node. 409 when the app is uninstalled, which is final.',
    )
    .params(installationParams)
    .body(installationChanges)
    .returns(200, installation)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.updateInstallation(params.installationId, body)),
  route
    .post('/admin/apps/:installationId/uninstall')
    .admin()
    .tag('Apps')
    .summary('Uninstall an app', 'Its tokens are revoked and its subscriptions removed. Again: 204.')
    .params(installationParams)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.uninstallApp(params.installationId)),
  route
    .post('/admin/apps/:installationId/revoke-tokens')
    .admin()
    .tag('Apps')
    .summary('Revoke every access token of an app', 'Its client secret still buys new ones.')
    .params(installationParams)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.revokeTokens(params.installationId)),
  route
    .post('/admin/apps/:installationId/rotate-client-secret')
    .admin()
    .tag('Apps')
    .summary(
      'Make a new client secret',
      'Shown this once. The old one holds during the overlap. 409 when the app is uninstalled.',
    )
    .params(installationParams)
    .body(rotation)
    .returns(200, rotatedClientSecret)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.rotateClientSecret(params.installationId, body.overlapSeconds)),
  route
    .post('/admin/apps/:installationId/rotate-signing-secret')
    .admin()
    .tag('Apps')
    .summary(
      'Make a new signing secret',
      'Shown this once. Deliveries carry both signatures during the overlap. 409 when the app is uninstalled.',
    )
    .params(installationParams)
    .body(rotation)
    .returns(200, rotatedSigningSecret)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.rotateSigningSecret(params.installationId, body.overlapSeconds)),
];
