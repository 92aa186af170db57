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

/** Repeated use of a key: its response is replayed, its request still runs, or another request has it. */
export type KeyUse = 'replays' | 'conflicts' | 'mismatches';

const USE_OF: Partial<Record<KeyRefusalCode, KeyUse>> = {
  idempotency_in_progress: 'conflicts',
  idempotency_key_reused: 'mismatches',
};

/** The use of a key that was answered so; null for the request that did the work. */
export const useOf = (
  answer:
    { readonly ok: true; readonly value: { readonly isReplay: boolean } } | { readonly ok: false; readonly code: KeyRefusalCode },
): KeyUse | null => {
  if (!answer.ok) return USE_OF[answer.code] ?? null;
  return answer.value.isReplay ? 'replays' : null;
};
