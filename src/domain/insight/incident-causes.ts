import { whyRefused } from './refusals/why-refused.ts';
import { plural } from '../values/plural.ts';

const IMPORT_ENDED = {
  complete: '',
  refused: ' It is not a catalogue, and nothing was imported.',
  stopped: ' It was stopped before the end of the file.',
  broken_off: ' The import broke off before the end of the file.',
} as const;

interface EndedImport {
  readonly fileName: string | null;
  readonly read: number;
  readonly failed: number;
  readonly ended: keyof typeof IMPORT_ENDED;
}

/** Causes of incidents, as they are kept: a sentence or two, without a secret or a body. */
export const INCIDENT_CAUSES = {
  receiver_failing: (failures: number, lastError: string | null): string =>
    `The last ${String(failures)} attempts failed.${lastError === null ? '' : ` Last error: ${lastError}.`}`,
  receiver_deactivated: (because: 'answered_410' | 'failed_for_120_hours'): string =>
    because === 'answered_410' ? 'The receiver answered 410.' : 'No attempt succeeded for 120 hours.',
  refusals: (refused: { readonly check: string; readonly reason: string }): string => {
    const { name, why } = whyRefused({ ...refused, code: null });
    return `${name}. ${why}`;
  },
  deliveries_late: (): string =>
    'No worker sends these deliveries, or a receiver is slower than its events come. See tenon doctor, and tenon deliveries list.',
  product_import_failed: ({ fileName, read, failed, ended }: EndedImport): string =>
    `${fileName ?? 'A file'}: ${failed.toLocaleString('en')} of ${plural(read, 'product')} failed.${IMPORT_ENDED[ended]}`,
  media_imports_failed: (message: string | null): string => message ?? 'An import failed.',
  work_stopped: (task: string | null): string =>
    task === null
      ? 'No worker runs: no webhook is sent and no image is imported. Start a node with ROLE=all or ROLE=worker.'
      : `${task} does not succeed. Read the log of the workers.`,
  database_away: (): string => 'A worker got no answer from the database.',
  redis_away: (): string => 'A worker got no answer from Redis.',
  keys_unopened: (kid: string): string =>
    `SECRET_KEYS of a worker does not open a secret of key ${kid}. Its deliveries wait. Add the key, or rotate the secret.`,
} as const;
