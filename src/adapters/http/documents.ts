import { adminRoutes } from './admin/index.ts';
import { openApiDocument } from './openapi.ts';
import { appRoutes } from './routes/index.ts';
import { tokenRoute } from './routes/token.ts';

const VERSION = '0.1.0';

/** The OpenAPI documents of the two listeners, from the routes that they mount. */
export const documents = {
  app: openApiDocument([tokenRoute, ...appRoutes], {
    title: 'Tenon app API',
    version: VERSION,
    description:
      'What an installed app can do on the store whose domain it calls. Versioning is additive: no version stands in the path.',
  }),
  admin: openApiDocument(adminRoutes, {
    title: 'Tenon admin API',
    version: VERSION,
    description: "The merchant's side: stores, apps, the catalogue. Errors are problem+json.",
  }),
};
