import { entryRoutes } from './entry-routes.ts';
import { metaobjectRoutes } from './metaobject-routes.ts';

export const customDataRoutes = { app: entryRoutes, admin: metaobjectRoutes };
