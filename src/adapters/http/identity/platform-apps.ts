import { z } from 'zod';

import { MAX_REDIRECT_URLS, PLATFORM_APP_STATUSES, PLATFORM_APP } from '../../../domain/identity/platform-app.ts';
import { ok } from '../../../domain/result.ts';
import { MAX_URL_LENGTH } from '../../../domain/values/url.ts';
import { exampleOf, CREDENTIAL_EXAMPLES } from '../kit/example-record.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { asListQuery, listPaging, asListPage, listOfItems } from '../kit/page.ts';
import { shownNameOf, textOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { appConsoleLink } from './console-codes.ts';
import {
  clientSecretText,
  scopes,
  signingSecretText,
  installation,
  rotatedClientSecret,
  rotatedSigningSecret,
  rotation,
} from './installations.ts';
import { resourceOf } from '../kit/records.ts';

const redirectUrls = z
  .array(textOf({ min: 1, max: MAX_URL_LENGTH }))
  .min(1)
  .max(MAX_REDIRECT_URLS)
  .meta({ description: 'Where merchants return to after their decision. A request must name one of them exactly.' });
const required = scopes.meta({ description: 'Each merchant grants all of these, or does not install the app.' });
const optional = scopes.meta({ description: 'A merchant may leave these out.' });
export const platformApp = resourceOf(PLATFORM_APP);
const { eventUrl } = platformApp.shape;

const platformAppExample = exampleOf(PLATFORM_APP);
const { name, redirectUrls: urls, optionalScopes, eventUrl: url } = platformAppExample;
export const EXAMPLE = { name, redirectUrls: urls, scopes: platformAppExample.scopes, optionalScopes, eventUrl: url };

const newPlatformApp = z
  .object({
    name: shownNameOf(),
    redirectUrls,
    scopes: required,
    optionalScopes: optional.default([]),
    eventUrl: eventUrl.default(null),
  })
  .meta({ id: 'NewPlatformApp', examples: [EXAMPLE] });

const platformAppChanges = z
  .object({
    name: shownNameOf().optional(),
    redirectUrls: redirectUrls.optional(),
    scopes: required.optional(),
    optionalScopes: optional.optional(),
    eventUrl: eventUrl.optional(),
    status: z.enum(PLATFORM_APP_STATUSES).optional(),
  })
  .meta({
    id: 'PlatformAppChanges',
    description:
      'Omitted fields do not change. Suspending stops the app on every store. Scopes that are removed are taken from every installation. Scopes that are added are pending until the merchant accepts them.',
    examples: [{ status: 'Suspended' }],
  });

export const registeredApp = z
  .object({ app: platformApp, clientId: z.string(), clientSecret: clientSecretText, signingSecret: signingSecretText })
  .meta({
    id: 'RegisteredApp',
    description: 'The three credentials are shown only once. They are the same on every store.',
    examples: [{ app: platformAppExample, ...CREDENTIAL_EXAMPLES }],
  });

const platformAppListQuery = z.object(listPaging).transform(asListQuery);

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
