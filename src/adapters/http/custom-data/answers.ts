import type { z } from 'zod';

import type * as definitions from './metaobject-definitions.ts';
import type * as entries from './metaobject-entries.ts';

export type MetaobjectDefinition = z.output<typeof definitions.countedDefinition>;
export type RemovedDefinition = z.output<typeof definitions.removedDefinition>;
export type StoredMetaobjectEntry = z.output<typeof entries.storedEntry>;
