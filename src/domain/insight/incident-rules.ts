import type { ImpactUnit } from './impact-text.ts';
import { LIVE_SECONDS } from './processes.ts';

/** Subjects of incidents. The last four concern the whole server. */
export const INCIDENT_KINDS = [
  'receiver_failing',
  'receiver_deactivated',
  'refusals',
  'deliveries_late',
  'product_import_failed',
  'media_imports_failed',
  'work_stopped',
  'database_away',
  'redis_away',
  'keys_unopened',
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** Thresholds of the signals. A signal that cannot continue an incident has no `continue`. */
export const LIMITS = {
  failedAttempts: { begin: 10, continue: 1 },
  deactivatedSeconds: { begin: 3_600, continue: 7 * 86_400 },
  refusals: { begin: 50, continue: 10, timesBefore: 5 },
  lateSeconds: { begin: 300, continue: 60 },
  failedImages: { begin: 5, continue: 1 },
  awaySeconds: { begin: 10 },
} as const;

/** Refusals are counted over this time, and compared with the average of such times in the hour before. */
export const REFUSALS_MINUTES = { counted: 10, before: 60 } as const;
/** Images that failed in imports that ended within this time are counted. */
export const IMAGES_HOURS = 1;
/** An incident that only a node can see ends when no node has seen it for this long. */
export const UNSEEN_SECONDS = 60;
export const INCIDENTS_KEPT_DAYS = 90;

/** Product imports that ended within this time are looked at. */
export const IMPORTS_HOURS = 24;

/** Input of a rule. `before` is the usual value, where the kind compares with it. */
export interface MeasuredSignal {
  readonly value: number;
  readonly before: number;
}

export interface IncidentRule {
  /** Display name. */
  readonly name: string;
  /** True when only a node sees it, and no row shows it. */
  readonly isNodeObserved: boolean;
  readonly counts: ImpactUnit;
  /** When it begins and when it ends, as documented. */
  readonly beginsWhen: string;
  readonly endsWhen: string;
  begins(measured: MeasuredSignal): boolean;
  /** Weaker than `begins`, so that an incident does not end and begin again with each small change. */
  continues(measured: MeasuredSignal): boolean;
}

const { failedAttempts, deactivatedSeconds, refusals, lateSeconds, failedImages, awaySeconds } = LIMITS;
const always = (): boolean => true;
const unseen = (what: string): string => `No worker has ${what} for ${UNSEEN_SECONDS} seconds.`;

export const INCIDENT_RULES: Readonly<Record<IncidentKind, IncidentRule>> = {
  receiver_failing: {
    name: 'Receiver fails',
    isNodeObserved: false,
    counts: 'deliveries',
    beginsWhen: `The last ${failedAttempts.begin} attempts at a receiver failed, which pauses it.`,
    endsWhen: 'An attempt succeeds, or the subscription is deactivated or removed.',
    begins: ({ value }) => value >= failedAttempts.begin,
    continues: ({ value }) => value >= failedAttempts.continue,
  },
  receiver_deactivated: {
    name: 'Receiver deactivated',
    isNodeObserved: false,
    counts: 'receivers',
    beginsWhen: `A subscription was deactivated less than ${deactivatedSeconds.begin / 60} minutes ago.`,
    endsWhen: `The subscription is active again or removed, or ${deactivatedSeconds.continue / 86_400} days have passed.`,
    begins: ({ value }) => value < deactivatedSeconds.begin,
    continues: ({ value }) => value < deactivatedSeconds.continue,
  },
  refusals: {
    name: 'Requests refused',
    isNodeObserved: false,
    counts: 'requests',
    beginsWhen: `An app was refused ${refusals.begin} times for one reason in ${REFUSALS_MINUTES.counted} minutes, and ${refusals.timesBefore} times as often as the store's apps were on average in the hour before.`,
    endsWhen: `It was refused fewer than ${refusals.continue} times in ${REFUSALS_MINUTES.counted} minutes.`,
    begins: ({ value, before }) => value >= refusals.begin && value >= refusals.timesBefore * before,
    continues: ({ value }) => value >= refusals.continue,
  },
  deliveries_late: {
    name: 'Deliveries late',
    isNodeObserved: false,
    counts: 'deliveries',
    beginsWhen: `A delivery that can be sent has been due for ${lateSeconds.begin} seconds.`,
    endsWhen: `No delivery that can be sent has been due for ${lateSeconds.continue} seconds.`,
    begins: ({ value }) => value >= lateSeconds.begin,
    continues: ({ value }) => value >= lateSeconds.continue,
  },
  product_import_failed: {
    name: 'Products not imported',
    isNodeObserved: false,
    counts: 'imports',
    beginsWhen: 'A product import ends with failures, or before the end of its file.',
    endsWhen: `A later import ends without failures, or no import failed for ${IMPORTS_HOURS} hours.`,
    begins: always,
    continues: always,
  },
  media_imports_failed: {
    name: 'Images not imported',
    isNodeObserved: false,
    counts: 'images',
    beginsWhen: `${failedImages.begin} images of an app failed in imports that ended in the last hour.`,
    endsWhen: 'No image of the app failed in an import that ended in the last hour.',
    begins: ({ value }) => value >= failedImages.begin,
    continues: ({ value }) => value >= failedImages.continue,
  },
  work_stopped: {
    name: 'Background work not done',
    isNodeObserved: false,
    counts: 'seconds',
    beginsWhen: `A node runs and no worker has been seen for ${LIVE_SECONDS} seconds, or a task of the workers has not succeeded for minutes.`,
    endsWhen: 'A worker runs, or the task succeeds.',
    begins: ({ value }) => value >= LIVE_SECONDS,
    continues: always,
  },
  database_away: {
    name: 'Database did not answer',
    isNodeObserved: true,
    counts: 'seconds',
    beginsWhen: `The database did not answer a worker for ${awaySeconds.begin} seconds. It is recorded when the database is back.`,
    endsWhen: 'The database answers.',
    begins: ({ value }) => value >= awaySeconds.begin,
    continues: always,
  },
  redis_away: {
    name: 'Redis does not answer',
    isNodeObserved: true,
    counts: 'seconds',
    beginsWhen: `Redis did not answer a worker for ${awaySeconds.begin} seconds.`,
    endsWhen: unseen('missed it'),
    begins: ({ value }) => value >= awaySeconds.begin,
    continues: always,
  },
  keys_unopened: {
    name: 'Secret cannot be opened',
    isNodeObserved: true,
    counts: 'keys',
    beginsWhen: 'A worker needs a secret that no key of `SECRET_KEYS` opens.',
    endsWhen: unseen('needed one'),
    begins: always,
    continues: always,
  },
};
