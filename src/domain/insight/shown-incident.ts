import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { id, int64, text, time } from '../fields/kinds.ts';
import { part, resource, type Resource } from '../fields/record.ts';
import { IMPACT_UNITS } from './impact-text.ts';
import { INCIDENT_KINDS } from './incident-rules.ts';
import { CHECKS } from './refused-request.ts';

/** An incident with what it is about, and the words of its kind. */
export const INCIDENT = resource('Incident', {
  id: id({ example: 80 }),
  storeId: id({ orNull: true, example: 99, about: 'Null for the whole server.' }),
  store: text({ orNull: true, example: 'sunrise.localhost', about: 'The domain of the store.' }),
  kind: text({ values: INCIDENT_KINDS, example: 'receiver_failing' }),
  title: text({ example: 'Receiver fails', about: 'The kind in words.' }),
  name: text({ example: 'hooks.example.com/tenon', about: 'The receiver, the app, the store or the service that it is about.' }),
  subscriptionId: id({ orNull: true, example: 40 }),
  installationId: id({ orNull: true }),
  check: text({ orNull: true, values: CHECKS, about: 'Of refused requests: the check that failed.' }),
  reason: text({ orNull: true, about: 'Of refused requests: the reason, as in the request log.' }),
  beganAt: time({ example: EXAMPLE_TIME }),
  endedAt: time({ orNull: true, about: 'Null while it is open.' }),
  impact: {
    ...part({ count: int64({ example: 218 }), of: text({ values: IMPACT_UNITS, example: 'deliveries' }) }),
    about: 'The most that it was. Deliveries are counted up to 1,000.',
  },
  cause: text({ example: 'The last 10 attempts failed. Last error: Error in the receiver (5xx).' }),
});
export type ShownIncident = Resource<typeof INCIDENT>;
