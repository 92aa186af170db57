import { z } from 'zod';

import { INSTALL_REQUEST_PREFIX } from '../../../domain/identity/install-request.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { ok } from '../../../domain/result.ts';
import { MAX_URL_LENGTH } from '../../../domain/values/url.ts';
import { Redirect } from '../answer.ts';
import { CREDENTIAL_EXAMPLES, exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { installation, installationExample, scopes } from './installations.ts';
import { EXAMPLE } from './platform-apps.ts';

const askedScope = z
  .object({
    scope: z.enum(ALL_SCOPES),
    allows: z.string().meta({ description: 'What the scope allows, for the merchant to read.' }),
    isRequired: z.boolean(),
    isGranted: z.boolean().meta({ description: 'Whether the app has it on this store already.' }),
  })
  .meta({ id: 'AskedScope' });

/** This length holds the largest state, and the head of a request holds a path of this length. */
const MAX_REQUEST_TEXT = 8_192;
const REQUEST_EXAMPLE = `${INSTALL_REQUEST_PREFIX}v1.2026-11.3q2-7w`;
const requestText = textOf({ min: 1, max: MAX_REQUEST_TEXT }).meta({
  description: 'The value of `request` in the address of the page of consent.',
  examples: [REQUEST_EXAMPLE],
});

const installRequestParams = z.object({ installRequestId: requestText });

export const installRequest = z
  .object({
    id: requestText,
    app: z.object({ id: z.guid(), name: z.string() }),
    store: z.object({ id: z.guid(), name: z.string(), domain: z.string() }),
    scopes: z.array(askedScope).readonly(),
    redirectUrl: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'InstallRequest',
    examples: [
      {
        id: REQUEST_EXAMPLE,
        app: { id: exampleId(31), name: EXAMPLE.name },
        store: { id: exampleId(99), name: 'Sunrise', domain: 'sunrise.example.com' },
        scopes: [{ scope: 'write_inventory', allows: 'Change your stock.', isRequired: true, isGranted: false }],
        redirectUrl: EXAMPLE.redirectUrls[0] ?? '',
        expiresAt: EXAMPLE_TIME,
      },
    ],
  });

const consent = z
  .object({
    scopes: scopes.optional().meta({ description: 'What the merchant grants. By default, all that the request asks for.' }),
  })
  .meta({ id: 'Consent', examples: [{ scopes: ['write_inventory'] }] });

const redirectUrl = z.string().meta({ description: "Send the merchant's browser there." });
const REDIRECT = `${EXAMPLE.redirectUrls[0] ?? ''}?store=sunrise.example.com`;

export const acceptedInstall = z.object({ redirectUrl, installation }).meta({
  id: 'AcceptedInstall',
  examples: [{ redirectUrl: `${REDIRECT}&installation=${exampleId(30)}&state=xyz`, installation: installationExample }],
});
export const refusedInstall = z
  .object({ redirectUrl })
  .meta({ id: 'RefusedInstall', examples: [{ redirectUrl: `${REDIRECT}&error=access_denied&state=xyz` }] });

/** Query of an OAuth client. The names are those of RFC 6749. */
const installQuery = z
  .object({
    client_id: textOf({ min: 1, max: 100 }),
    redirect_uri: textOf({ min: 1, max: MAX_URL_LENGTH }).meta({ description: 'One of the redirect URLs of the app, exactly.' }),
    scope: textOf({ max: 2_048 })
      .default('')
      .meta({ description: 'Scopes to ask for beside the required ones, separated by spaces.' }),
    state: z
      .string()
      .regex(/^[ -~]{1,1024}$/, 'must have 1 to 1024 printable ASCII characters')
      .optional()
      .meta({ description: 'Returned unchanged. Bind it to the session of the browser.' }),
  })
  .transform(({ client_id: clientId, redirect_uri: redirectUrl, scope, state = null }) => ({
    clientId,
    redirectUrl,
    scope,
    state,
  }));

const ownInstallation = z
  .object({
    id: z.guid(),
    storeId: z.guid(),
    name: z.string(),
    isSandbox: z.boolean().meta({ description: 'Whether the store is a sandbox store of the developer of the app.' }),
    scopes: z.array(z.enum(ALL_SCOPES)).readonly(),
    pendingScopes: z
      .array(z.enum(ALL_SCOPES))
      .readonly()
      .meta({ description: 'The app requires these now, and the merchant has not granted them.' }),
    optionalScopes: z.array(z.enum(ALL_SCOPES)).readonly().meta({ description: 'Optional scopes that are not granted.' }),
    installPath: z.string().nullable().meta({
      description:
        "Where to ask the merchant for them, on the store's domain. Add redirect_uri and state. Null for an app that the store made itself.",
    }),
  })
  .meta({
    id: 'OwnInstallation',
    examples: [
      {
        id: exampleId(30),
        storeId: exampleId(99),
        name: EXAMPLE.name,
        isSandbox: false,
        scopes: ['write_inventory'],
        pendingScopes: [],
        optionalScopes: ['read_orders'],
        installPath: `/apps/install?client_id=${CREDENTIAL_EXAMPLES.clientId}&scope=read_orders`,
      },
    ],
  });

const request = '/admin/install-requests/:installRequestId';

/**
 * For the browser of a merchant, whom the app sends here (docs/specification/credentials.md, "Install requests"). Who is wrong is
 * answered here, and redirected nowhere. It counts like a token request of the address.
 */
export const installRoute = route
  .get('/apps/install', 'requestInstall')
  .visitor('Installation')
  .summary('Ask a merchant to install a platform app')
  .query(installQuery)
  .returnsNothing(302)
  .refuses('not_found', 'invalid', 'rate_limited')
  .handle(async (app, { domain, query }) => {
    const asked = await app.requestInstall(domain, query);
    return asked.ok ? ok(new Redirect(asked.value)) : asked;
  });

export const ownInstallationRoute = route
  .get('/apps/installation', 'getInstallation')
  .anyScope('Installation')
  .summary('Get the own installation', 'What the app may do on this store, and what it still has to ask the merchant for.')
  .returns(200, ownInstallation)
  .refuses('not_found')
  .handle((app, { caller }) => app.getOwnInstallation(caller));

export const installRequestRoutes = [
  route
    .get(request, 'getInstallRequest')
    .admin('Platform apps')
    .summary(
      'Get an install request',
      'What an app asks the merchant of a store for. Used and expired requests return 404. Returns 409 if the app must ask again.',
    )
    .params(installRequestParams)
    .returns(200, installRequest)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.describeInstallRequest(params.installRequestId)),
  route
    .post(`${request}/accept`, 'acceptInstallRequest')
    .admin('Platform apps')
    .summary(
      'Accept an install request',
      "Installs the app on the store, or grants it more scopes there. A request can be decided once. Send the merchant's browser to redirectUrl.",
    )
    .params(installRequestParams)
    .body(consent)
    .returns(200, acceptedInstall)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.acceptInstall(params.installRequestId, body.scopes)),
  route
    .post(`${request}/refuse`, 'refuseInstallRequest')
    .admin('Platform apps')
    .summary('Refuse an install request', "Nothing changes on the store. Send the merchant's browser to redirectUrl.")
    .params(installRequestParams)
    .returns(200, refusedInstall)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.refuseInstall(params.installRequestId)),
];
