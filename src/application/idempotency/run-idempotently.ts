import { begin, settleKey, type Beginning } from '../../domain/idempotency/idempotency.ts';
import { KEY_IN_PROGRESS, KEY_NOT_REPLAYABLE, KEY_REUSED, type KeyRefusalCode } from '../../domain/idempotency/key-use.ts';
import type { KeyScope, KnownKey, RememberedResponse } from '../../domain/ports/idempotency/idempotency-repository.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import type { Claim } from '../../domain/ports/transaction.ts';
import { ok, type Result } from '../../domain/result.ts';

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface OnceResponse {
  readonly response: RememberedResponse;
  readonly isReplay: boolean;
}

export type OnceResult = Result<OnceResponse, KeyRefusalCode>;

/** The answer to a request whose key has finished or is in use. Null when the request may run. */
const answerOf = (beginning: Beginning, { response }: KnownKey): OnceResult | null => {
  switch (beginning) {
    case 'run':
    case 'take-over':
      return null;
    case 'wait':
      return KEY_IN_PROGRESS;
    case 'mismatch':
      return KEY_REUSED;
    case 'unreplayable':
      return KEY_NOT_REPLAYABLE;
    case 'replay':
      return response ? ok({ response, isReplay: true }) : KEY_NOT_REPLAYABLE;
  }
};

/**
 * Answers a request whose key was known before it, without a lock where the key has finished. Null
 * where it may run: `runIdempotently` then decides.
 */
export const answerKnown = (known: KnownKey, fingerprint: string): OnceResult | null =>
  answerOf(begin(known.record, fingerprint), known);

/** A known key has an answer that another request has made, or makes now. */
export const isKnownKey =
  ({ idempotency }: Pick<Ports, 'idempotency'>) =>
  async (scope: KeyScope): Promise<boolean> => {
    const known = await idempotency.find(scope);
    return known !== null && known.record.state !== 'expired';
  };

/**
 * A request that holds the lock of an unfinished key runs. It may also lock a finished one to
 * replay it.
 */
const whileHeld = (held: KnownKey): KnownKey =>
  held.record.state === 'finished' ? held : { ...held, record: { ...held.record, state: 'running' } };

/**
 * The most tries of a key that becomes free between two reads. After them, many other requests have
 * the key.
 */
const MAX_ATTEMPTS = 10;

/**
 * Runs the work of a request at most once for its key (docs/specification/idempotency.md, "Life of
 * a key"). The key is inserted as running, visible to all, and one transaction locks its row, does
 * the work and stores the response. The row's lock proves that the request still runs: a request
 * that finds the row unlocked and unfinished may run. Work that fails with 5xx must throw, which
 * rolls back and frees the key.
 */
export const runIdempotently =
  ({ transaction, idempotency }: Pick<Ports, 'transaction' | 'idempotency'>, maxResponseBytes: number) =>
  async (claim: Claim, work: (tx: TransactionPorts) => Promise<Response>): Promise<OnceResult> => {
    const { scope, fingerprint } = claim;
    const attempt = async (tx: TransactionPorts): Promise<OnceResult | 'held' | 'again'> => {
      const locked = await tx.idempotency.lock(scope);
      if (locked === null) return 'held';
      const beginning = begin(locked.record, fingerprint);
      if (beginning === 'take-over') {
        await tx.idempotency.reset(scope, fingerprint);
        return 'again';
      }
      const answer = answerOf(beginning, locked);
      if (answer) return answer;
      const response = await work(tx);
      const settlement = settleKey(response.status, response.body.length, maxResponseBytes);
      if (settlement === 'release') {
        throw new Error(`The work of an idempotent request returned ${response.status} instead of throwing.`);
      }
      await tx.idempotency.remember(scope, { ...response, body: settlement === 'remember' ? response.body : null });
      return ok({ response, isReplay: false });
    };

    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const outcome = await transaction.runClaimed(claim, attempt);
      if (outcome === 'again') continue;
      if (outcome !== 'held') return outcome;
      const held = await idempotency.find(scope);
      const answer = held && answerKnown(whileHeld(held), fingerprint);
      if (answer) return answer;
    }
    return KEY_IN_PROGRESS;
  };
