import { z } from 'zod';

import {
  INSTALLATION_STATUSES,
  MAX_OVERLAP_SECONDS,
  SETTABLE_STATUSES,
  INSTALLATION,
} from '../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { MAX_PREVIEWED } from '../../../domain/ports/identity/installation-repository.ts';
import { ok } from '../../../domain/result.ts';
import { nearestName } from '../../../domain/values/nearest-name.ts';
import { listOf, several } from '../kit/bounded.ts';
import { exampleOf, CREDENTIAL_EXAMPLES, EXAMPLE_TIME } from '../kit/example-record.ts';
import { uuidField } from '../kit/fields.ts';
import { durationText, limit } from '../kit/limits.ts';
import { searched, listPaging, asListQuery, listOfItems, asListPage } from '../kit/page.ts';
import { shownNameOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { appConsoleLink } from './console-codes.ts';
import { resourceOf } from '../kit/records.ts';

/** Letters that a typing error changes. */
const TYPED_WRONG = 3;

const scope = z.enum(ALL_SCOPES, {
  error: ({ input }) => {
    const meant = typeof input === 'string' ? nearestName(input, ALL_SCOPES, TYPED_WRONG) : null;
    return meant === null ? undefined : `${String(input)} is not a scope. Did you mean ${meant.name}?`;
  },
});

export const scopes = listOf(scope, { max: 100 }).meta({
  description: 'Stored sorted and without duplicates. A write_ scope includes its read_ scope. Unknown scopes cannot be granted.',
  examples: [['write_products', 'read_collections']],
});

const MAX_NAMED = 100;

const installationListQuery = z
  .object({
    q: searched('their name, client id or id'),
    status: several(z.enum(INSTALLATION_STATUSES), INSTALLATION_STATUSES.length).meta({
      description: 'Only apps with this status. Repeat the parameter for several.',
    }),
    id: several(uuidField, MAX_NAMED).meta({
      description: `Only these apps. Repeat the parameter for several, at most ${MAX_NAMED}.`,
    }),
    ...listPaging,
  })
  .transform(asListQuery);

const newApp = z
  .object({ name: shownNameOf(), scopes })
  .meta({ id: 'NewApp', examples: [{ name: 'Stock sync', scopes: ['read_collections', 'write_products'] }] });

const installationChanges = z
  .object({ name: shownNameOf().optional(), scopes: scopes.optional(), status: z.enum(SETTABLE_STATUSES).optional() })
  .meta({
    id: 'InstallationChanges',
    description: 'Omitted fields do not change. New scopes apply from the next request. Suspending revokes every token.',
    examples: [{ status: 'Suspended' }],
  });

export const installation = resourceOf(INSTALLATION);
export const installationExample = exampleOf(INSTALLATION);

export const signingSecretText = z.string().meta({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$' });
export const clientSecretText = z.string().meta({ pattern: CREDENTIAL_PATTERNS.clientSecret.source });

export const installedApp = z
  .object({ installation, clientId: z.string(), clientSecret: clientSecretText, signingSecret: signingSecretText })
  .meta({
    id: 'InstalledApp',
    description: 'The three credentials are shown only once.',
    examples: [{ installation: installationExample, ...CREDENTIAL_EXAMPLES }],
  });

export const rotation = z.object({ overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).optional() }).meta({
  id: 'Rotation',
  description:
    `How long the old secret stays valid, in seconds. Default: the setting SECRET_OVERLAP_SECONDS, ${limit('secretOverlap')}. ` +
    `Maximum: ${durationText(MAX_OVERLAP_SECONDS * 1_000)}. 0 revokes the old secret immediately.`,
  examples: [{ overlapSeconds: 3600 }],
});

const { clientSecret, signingSecret } = CREDENTIAL_EXAMPLES;
const previousExpiresAt = z.iso.datetime().meta({ description: 'When the last old secret expires.' });

export const rotatedClientSecret = z
  .object({ clientSecret: clientSecretText, previousExpiresAt })
  .meta({ id: 'RotatedClientSecret', examples: [{ clientSecret, previousExpiresAt: EXAMPLE_TIME }] });
export const rotatedSigningSecret = z
  .object({ signingSecret: signingSecretText, previousExpiresAt })
  .meta({ id: 'RotatedSigningSecret', examples: [{ signingSecret, previousExpiresAt: EXAMPLE_TIME }] });

const upTo = `At most ${MAX_PREVIEWED.toLocaleString('en')}.`;

export const uninstallPreview = z
  .object({
    deliveries: z.int().meta({ description: `Queued deliveries that would be dropped. ${upTo}` }),
    subscriptions: z.int().meta({ description: 'Subscriptions that would be removed.' }),
    tokens: z.int().meta({ description: `Valid access tokens that would be revoked. ${upTo}` }),
    mediaImports: z.int().meta({ description: `Media imports that would be stopped. ${upTo}` }),
    isComplete: z.boolean().meta({ description: 'False if a count stopped at its maximum.' }),
  })
  .meta({
    id: 'UninstallPreview',
    description: 'What an uninstall would remove now. All counts are 0 if the app is already uninstalled.',
    examples: [{ deliveries: 12, subscriptions: 2, tokens: 3, mediaImports: 0, isComplete: true }],
  });

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
