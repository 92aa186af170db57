import { ENFORCED_SCOPES } from '../../../domain/identity/scope.ts';
import { SCOPE_WORDS } from '../../../domain/identity/scope-words.ts';
import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import { EVENT_TYPES, LIFE_EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { withLimits, type Limits } from '../kit/limits.ts';
import { openApiDocument } from './openapi.ts';
import { VERSION } from '../../startup/version.ts';
import { adminListenerRoutes, documentedRoutes } from '../routes.ts';
import { tokenRoute } from '../identity/tokens.ts';

/** Descriptions of the scopes that a route or an event type requires. */
const SCOPES = Object.fromEntries(ENFORCED_SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]]));

const TEXTS =
  'Text lengths are counted in characters, meaning Unicode code points: an emoji is one character. Leading and trailing white space is ' +
  'removed from names and titles. The sizes of arrays and objects are checked before their elements, and a 400 lists at most ' +
  `${String(MAX_FAULTS)} errors. A number that a 64-bit float cannot represent exactly, such as 9007199254740993, is refused, not rounded. Up to ` +
  '15 significant digits always fit.';
const PRICES =
  'Prices and surcharges are 0 to 999,999,999,999.99 with at most 4 decimals. Media URLs are absolute http or https URLs.';
const METHODS =
  'A method that a path does not support returns 405 with `Allow` and the code `method_not_allowed`, before the credentials are checked. ' +
  'OPTIONS returns 204 with `Allow`.';

/** Explains the names in the samples of each document. */
const SAMPLES = {
  app: 'In the samples, `SHOP` is the address of a store, such as `https://shop.example.com`, and `TOKEN` an access token. `CLIENT` is the client id and the client secret of a platform app, with a colon between them.',
  admin:
    'In the samples, `ADMIN` is the address of the admin listener, such as `http://127.0.0.1:4001`, and `ADMIN_TOKEN` a token for it.',
};

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

const OPERATIONS = 'Health checks and metrics.';

const describe = () => ({
  app: openApiDocument(documentedRoutes, {
    title: 'Tenon app API',
    version: VERSION,
    description:
      'The API for apps that are installed on a store. The host of a request selects the store. Versioning is additive: paths have no version, and ' +
      `fields, event types and error codes may be added at any time.\n\n${SAMPLES.app}\n\n${TEXTS}\n\n${METHODS}`,
    tags: {
      Token: 'Exchange client credentials for a short-lived access token.',
      Installation: 'What the app may do on the store.',
      'Sandbox stores': 'Stores in which the developer of a platform app tries it.',
      Catalog: 'Read products and collections, and update products, prices and stock in bulk.',
      'Custom data': "The app's own entries of the types defined by the merchant.",
      Media: 'Images that Tenon fetches, stores and serves.',
      Webhooks: "The app's own subscriptions, events and deliveries.",
      Operations: OPERATIONS,
    },
    server: {
      // The variable has no description of its own: orval takes one for a fault.
      description: 'A store, by its domain.',
      url: 'https://{store}',
      variables: { store: { default: 'shop.example.com' } },
    },
    securitySchemes: {
      oauth2: {
        type: 'oauth2',
        description: 'The client credentials of the installation. The token always has all scopes of the installation.',
        flows: { clientCredentials: { tokenUrl: tokenRoute.path, scopes: SCOPES } },
      },
      basic: { type: 'http', scheme: 'basic', description: 'The client id and the client secret of a platform app.' },
      bearer: bearer('An access token from POST /apps/token. The current scopes of the installation apply.'),
    },
    // The event address of a platform app gets those of its life.
    events: [...EVENT_TYPES, ...LIFE_EVENT_TYPES, 'ping'],
  }),
  admin: openApiDocument(adminListenerRoutes, {
    title: 'Tenon admin API',
    version: VERSION,
    description: `The API for merchants: stores, apps and the catalogue. It has a separate listener. Reading requires the role \`viewer\`, and changing something \`operator\`, unless a description says more. Errors are problem+json (RFC 9457).\n\n${SAMPLES.admin}\n\n${TEXTS} ${PRICES}\n\n${METHODS}`,
    tags: {
      Stores: 'Create, change and erase stores.',
      Apps: 'App installations and their credentials.',
      'Platform apps': 'Apps that many stores can install, and what they ask merchants for.',
      Products: 'Import and export the whole catalogue.',
      Catalog: 'Products, categories, tax classes and collections, one at a time.',
      Metaobjects: 'Custom data types, and the entries that apps store in them.',
      Webhooks: 'Subscriptions, events and deliveries.',
      Insight: 'What happens in a store, and which app requests were refused and why.',
      Operators: 'Named people and machines, their roles, tokens and console sessions.',
      Console: 'The web console of the admin listener.',
      Operations: OPERATIONS,
    },
    server: {
      description: 'The admin listener, by its address. It is not meant to be reached from the internet.',
      url: 'http://{admin}',
      variables: { admin: { default: '127.0.0.1:4001' } },
    },
    securitySchemes: { bearer: bearer('The value of the setting ADMIN_TOKEN, or the token of an operator.') },
    events: [...SUBSCRIBABLE_TYPES, 'ping'],
  }),
});

let described: ReturnType<typeof describe> | undefined;

/**
 * The OpenAPI documents of the two listeners, from the routes that they mount, with the limits that
 * the settings give. The routes are described at the first call.
 */
export const createDocuments = (limits: Limits): ReturnType<typeof describe> => withLimits((described ??= describe()), limits);
