import { shortened } from '../values/text.ts';
import { IMPORT_ENDS, type ImportCounts, type ImportFault } from './product-import.ts';

export const IMPORTS_KEPT_DAYS = 90;

/** Period in which the record of an import says that it still runs. */
export const SEEN_EVERY_SECONDS = 10;
/** An import that was not seen for this long has broken off: its server was killed. One that continues is seen again. */
export const GIVEN_UP_SECONDS = 600;

/** `broken_off`: the upload ended early, or its server did. */
export const RECORDED_ENDS = [...IMPORT_ENDS, 'broken_off'] as const;
export type RecordedEnd = (typeof RECORDED_ENDS)[number];

/** Facts of an import that are known when it begins. */
export interface ImportSource {
  readonly by: string;
  readonly fileName: string | null;
}

export interface ImportOutcome extends ImportCounts {
  readonly ended: RecordedEnd;
  readonly errors: readonly ImportFault[];
}

/** An import of products as it is listed. Times are ISO 8601 in UTC with milliseconds. */
export interface ImportRecord extends ImportSource, ImportCounts {
  readonly id: string;
  readonly startedAt: string;
  /** Null during the import, like `ended`. */
  readonly endedAt: string | null;
  readonly ended: RecordedEnd | null;
  readonly errors: readonly ImportFault[];
}

export const MAX_KEPT_ERRORS = 20;
export const MAX_KEPT_MESSAGE = 500;

export const keptErrors = (errors: readonly ImportFault[]): readonly ImportFault[] =>
  errors.slice(0, MAX_KEPT_ERRORS).map(({ line, message }) => ({ line, message: shortened(message, MAX_KEPT_MESSAGE) }));

/** True when something of the file was not imported. */
export const hasFailed = ({ ended, failed }: Pick<ImportOutcome, 'ended' | 'failed'>): boolean =>
  ended !== 'complete' || failed > 0;
