import type { z } from 'zod';

import type * as imports from './import-log.ts';

export type MediaImport = z.output<typeof imports.importSummary>;
export type MediaImportDetail = z.output<typeof imports.importDetail>;
export type MediaImportPage = z.output<typeof imports.importPage>;
