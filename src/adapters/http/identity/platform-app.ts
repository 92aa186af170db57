import { z } from 'zod';

import { MAX_REDIRECT_URLS, PLATFORM_APP_STATUSES } from '../../../domain/identity/platform-app.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { MAX_URL_LENGTH } from '../../../domain/values/web-url.ts';
import { CREDENTIAL_EXAMPLES } from '../kit/credential-examples.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { clientSecretText, previousEnd, scopes, signingSecretText } from './installation.ts';
import { asListQuery, listPaging } from '../kit/page.ts';
import { shownNameOf, textOf } from '../kit/text.ts';

const redirectUrls = z
  .array(textOf({ min: 1, max: MAX_URL_LENGTH }))
  .min(1)
  .max(MAX_REDIRECT_URLS)
  .meta({ description: 'Where merchants return to after their decision. A request must name one of them exactly.' });
const required = scopes.meta({ description: 'Each merchant grants all of these, or does not install the app.' });
const optional = scopes.meta({ description: 'A merchant may leave these out.' });
const eventUrl = z.string().nullable().meta({
  description:
    'Where the app learns that it was installed, suspended, resumed or uninstalled on a store, and that its scopes changed there. The rules are those of the URL of a subscription.',
});

export const EXAMPLE = {
  name: 'Stock sync',
  redirectUrls: ['https://stock.example.com/installed'],
  scopes: ['write_inventory' as const],
  optionalScopes: ['read_orders' as const],
  eventUrl: 'https://stock.example.com/events',
};

export const newPlatformApp = z
  .object({
    name: shownNameOf(),
    redirectUrls,
    scopes: required,
    optionalScopes: optional.default([]),
    eventUrl: eventUrl.default(null),
  })
  .meta({ id: 'NewPlatformApp', examples: [EXAMPLE] });

export const platformAppChanges = z
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

const platformAppExample = {
  id: exampleId(31),
  ...EXAMPLE,
  clientId: CREDENTIAL_EXAMPLES.clientId,
  status: 'Active',
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
  previousClientSecretExpiresAt: null,
  previousSigningSecretExpiresAt: null,
};

export const platformApp = z
  .object({
    id: z.guid(),
    name: z.string(),
    clientId: z.string().meta({ pattern: CREDENTIAL_PATTERNS.clientId.source }),
    redirectUrls: z.array(z.string()).readonly(),
    scopes: z.array(z.enum(ALL_SCOPES)).readonly(),
    optionalScopes: z.array(z.enum(ALL_SCOPES)).readonly(),
    eventUrl,
    status: z.enum(PLATFORM_APP_STATUSES),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().nullable(),
    previousClientSecretExpiresAt: previousEnd('client'),
    previousSigningSecretExpiresAt: previousEnd('signing'),
  })
  .meta({ id: 'PlatformApp', description: 'An app that many stores can install.', examples: [platformAppExample] });

export const registeredApp = z
  .object({ app: platformApp, clientId: z.string(), clientSecret: clientSecretText, signingSecret: signingSecretText })
  .meta({
    id: 'RegisteredApp',
    description: 'The three credentials are shown only once. They are the same on every store.',
    examples: [{ app: platformAppExample, ...CREDENTIAL_EXAMPLES }],
  });

export const platformAppListQuery = z.object(listPaging).transform(asListQuery);
