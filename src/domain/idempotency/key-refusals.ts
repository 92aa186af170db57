import { refuse } from '../result.ts';

export const KEY_IN_PROGRESS = refuse(
  'idempotency_in_progress',
  'A request with this Idempotency-Key is still running. Retry after the number of seconds in Retry-After.',
);
export const KEY_REUSED = refuse('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
export const KEY_NOT_REPLAYABLE = refuse(
  'idempotency_not_replayable',
  'The work of this Idempotency-Key is done. Its response was too large to keep and cannot be replayed. Do not retry.',
);

export type KeyRefusalCode = (typeof KEY_IN_PROGRESS | typeof KEY_REUSED | typeof KEY_NOT_REPLAYABLE)['code'];
