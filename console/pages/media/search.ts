import { present, someOf, text } from '../../api/search.ts';
import type { MediaImport } from '../../api/types.ts';

export const IMPORT_STATUSES = [
  'Queued',
  'Running',
  'Completed',
  'CompletedWithErrors',
  'Failed',
] as const satisfies readonly MediaImport['status'][];

export const mediaSearch = (given: Record<string, unknown>) =>
  present({
    app: text(given, 'app'),
    status: someOf(given, 'status', IMPORT_STATUSES),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });

export type MediaSearch = ReturnType<typeof mediaSearch>;
