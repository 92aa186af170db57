import { whyRefused } from './refusals/why-refused.ts';

/** Why an incident is there, as it is kept: a sentence or two, without a secret or a body. */
export const INCIDENT_CAUSES = {
  receiver_failing: (failures: number, lastError: string | null): string =>
    `The last ${String(failures)} attempts failed.${lastError === null ? '' : ` Last error: ${lastError}.`}`,
  receiver_deactivated: (because: 'answered_410' | 'failed_for_120_hours'): string =>
    because === 'answered_410' ? 'The receiver answered 410.' : 'No attempt succeeded for 120 hours.',
  refusals: (refused: { readonly check: string; readonly reason: string }): string => {
    const { name, why } = whyRefused({ ...refused, code: null });
    return `${name}. ${why}`;
  },
  deliveries_late: (): string => 'Deliveries are due, and no worker sends them. Check that workers run.',
  media_imports_failed: (message: string | null): string => message ?? 'An import failed.',
  database_away: (): string => 'A worker got no answer from the database.',
  redis_away: (): string => 'A worker got no answer from Redis.',
  keys_unopened: (kid: string): string =>
    `SECRET_KEYS of a worker does not open a secret of key ${kid}. Its deliveries wait. Add the key, or rotate the secret.`,
} as const;
