import { CHECKS, type Check } from './refused-request.ts';
import type { IncidentSubject } from './incidents.ts';

/** The ids and words in the subject of an incident. Null where it is about something else. */
export interface IncidentAbout {
  readonly subscriptionId: string | null;
  readonly installationId: string | null;
  readonly check: Check | null;
  readonly reason: string | null;
}

const NONE: IncidentAbout = { subscriptionId: null, installationId: null, check: null, reason: null };

/** No app: the refused requests had no valid token. */
const NO_APP = '-';

/** Name of the sender of such requests. */
export const NO_APP_NAME = 'Requests without a valid token';

/** Refusals of an app for one reason. */
export const refusalsSubject = (installationId: string | null, check: string, reason: string): string =>
  `${installationId ?? NO_APP} ${check} ${reason}`;

export const aboutIncident = ({ kind, subject }: Pick<IncidentSubject, 'kind' | 'subject'>): IncidentAbout => {
  switch (kind) {
    case 'receiver_failing':
    case 'receiver_deactivated':
      return { ...NONE, subscriptionId: subject };
    case 'media_imports_failed':
      return { ...NONE, installationId: subject };
    case 'refusals': {
      const [app = NO_APP, check, ...reason] = subject.split(' ');
      const known = CHECKS.find((one) => one === check) ?? null;
      return { ...NONE, installationId: app === NO_APP ? null : app, check: known, reason: reason.join(' ') };
    }
    default:
      return NONE;
  }
};
