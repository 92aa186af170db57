import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { withLimits } from '../schemas/limits.ts';
import type { Limits } from '../schemas/limits.ts';
import { openApiDocument } from './openapi.ts';
import { adminListenerRoutes, publicRoutes } from '../routes/listeners.ts';

const VERSION = '0.1.0';

/** What is true of every body. */
const TEXTS =
  'Lengths of texts are counted in characters, which are Unicode code points: an emoji is one character. Names and titles are kept ' +
  'without the white space at their ends. Arrays and objects are counted before their elements are judged, and a 400 names at most ' +
  `${String(MAX_FAULTS)} faults. A number that a 64-bit float does not keep, such as 9007199254740993, is refused, not rounded: at most ` +
  '15 significant digits always fit.';
const PRICES =
  'A price or surcharge is 0 to 999,999,999,999.99 with at most 4 decimals; the URL of a media is absolute, http or https.';
/** What is true of every path. */
const METHODS =
  'A method that a path does not have is answered 405 with `Allow` and the code `method_not_allowed`, before the credentials are checked; ' +
  'OPTIONS is answered 204 with `Allow`.';

const OPERATIONS = 'What the operator of the service monitors it with.';

const describe = () => ({
  app: openApiDocument(publicRoutes, {
    title: 'Tenon app API',
    version: VERSION,
    description:
      'What an installed app can do on the store whose domain it calls. Versioning is additive: the path has no version, and ' +
      `fields, event types and error codes may be added at any time.\n\n${TEXTS}\n\n${METHODS}`,
    tags: {
      Token: 'Client credentials for a short-lived access token.',
      Catalog: 'Products and collections: read, and update in bulk.',
      'Custom data': "The installation's own entries of the types that the merchant defined.",
      Media: 'Images that the service fetches, keeps and serves.',
      Webhooks: "The installation's own subscriptions to events.",
      Operations: OPERATIONS,
    },
    bearer: 'The access token of POST /apps/token. The scopes that count are those the installation has now.',
    events: [...EVENT_TYPES, 'ping'],
  }),
  admin: openApiDocument(adminListenerRoutes, {
    title: 'Tenon admin API',
    version: VERSION,
    description: `The merchant's side: stores, apps, the catalogue. It has a listener of its own. Errors are problem+json.\n\n${TEXTS} ${PRICES}\n\n${METHODS}`,
    tags: {
      Stores: 'Each is found by its domain.',
      Apps: 'Installations of apps on a store, with their credentials.',
      Products: 'The whole catalogue, in and out.',
      Catalog: 'Products, categories, tax classes and collections, one at a time.',
      Metaobjects: 'The types of custom data, and what apps keep in them.',
      Webhooks: "The merchant's own subscriptions, which no app sees.",
      Insight: 'What happens in a store, and which requests of apps were refused, and why.',
      Console: 'The web console of the admin listener.',
      Operations: OPERATIONS,
    },
    bearer: 'ADMIN_TOKEN.',
    events: [...SUBSCRIBABLE_TYPES, 'ping'],
  }),
});

let described: ReturnType<typeof describe> | undefined;

/**
 * The OpenAPI documents of the two listeners, from the routes that they mount, with the limits that
 * the settings give. The routes are described at the first call.
 */
export const createDocuments = (limits: Limits): ReturnType<typeof describe> => withLimits((described ??= describe()), limits);
