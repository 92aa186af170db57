import type { KeyRefusalCode } from './key-refusals.ts';

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
