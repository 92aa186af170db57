import { mediaImportRoutes } from './import-log.ts';
import { ownMediaImportRoutes } from './media-imports.ts';

export const mediaRoutes = { app: ownMediaImportRoutes, admin: mediaImportRoutes };
