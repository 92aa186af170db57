import { entryRoutes, storedEntryRoutes } from './metaobject-entries.ts';
import { definitionRoutes } from './metaobject-definitions.ts';

export const customDataRoutes = { app: entryRoutes, admin: [...definitionRoutes, ...storedEntryRoutes] };
