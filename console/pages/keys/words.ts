import type { KeyLife } from '../../api/types.ts';
import type { Tone } from '../../parts/badge.tsx';

interface StateWords {
  readonly name: string;
  readonly tone: Tone;
  readonly meaning: string;
  /** Answers to the next request with the key: with the same method, path and body, and with another. */
  readonly same: string;
  readonly other: string;
}

type State = KeyLife['state'] | 'not kept';

const OTHER_REFUSED = '422 idempotency_key_reused. Nothing is written.';

const STATES: Readonly<Record<State, StateWords>> = {
  running: {
    name: 'Running',
    tone: 'info',
    meaning: 'The first request is running. Its changes become visible only when it finishes.',
    same: '409 idempotency_in_progress with Retry-After: 1. Most requests finish within that second.',
    other: OTHER_REFUSED,
  },
  abandoned: {
    name: 'Abandoned',
    tone: 'warn',
    meaning: 'The request got 5xx, or its server stopped. It changed nothing.',
    same: 'The work is done as for a first request. Retry.',
    other: 'The work is done. The key then belongs to this request.',
  },
  finished: {
    name: 'Finished',
    tone: 'ok',
    meaning: 'The work was done once, and its response is remembered.',
    same: 'The same response, byte for byte, with Idempotent-Replay: true. Nothing is written again.',
    other: OTHER_REFUSED,
  },
  'not kept': {
    name: 'Finished, response not kept',
    tone: 'warn',
    meaning: 'The work was done once. Its response was too large to keep.',
    same: '409 idempotency_not_replayable. Nothing is written again. Do not retry; read what was written.',
    other: OTHER_REFUSED,
  },
  expired: {
    name: 'Expired',
    tone: 'mute',
    meaning: 'The work was done once, but its response is no longer remembered.',
    same: 'The work is done again. Do not retry work that is this old; read what was written.',
    other: 'The work is done. The key then belongs to this request.',
  },
};

/** Explains the state of a key for the next request that carries it. */
export const stateWords = ({ state, replayable }: Pick<KeyLife, 'state' | 'replayable'>): StateWords =>
  STATES[state === 'finished' && !replayable ? 'not kept' : state];
