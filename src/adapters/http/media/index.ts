import { mediaImportRoutes } from './media-import-routes.ts';
import { ownMediaImportRoutes } from './media-routes.ts';

export const mediaRoutes = { app: ownMediaImportRoutes, admin: mediaImportRoutes };
