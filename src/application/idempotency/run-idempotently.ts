import { begin, settle } from '../../domain/idempotency/idempotency.ts';
import type { KeyScope, KnownKey, RememberedResponse } from '../../domain/ports/idempotency-repository.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';

/** A response as it goes over the wire. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type IdempotentOutcome =
  | { readonly kind: 'executed'; readonly response: Response }
  | { readonly kind: 'replay'; readonly response: RememberedResponse }
  | { readonly kind: 'wait' | 'mismatch' | 'unreplayable' };

/** What a request is answered whose key has finished, or that another has; null where it is its turn. */
const answerKnown = ({ record, response }: KnownKey, fingerprint: string): IdempotentOutcome | 'take-over' | null => {
  const beginning = begin(record, fingerprint);
  if (beginning === 'run') return null;
  if (beginning === 'replay') return response ? { kind: 'replay', response } : { kind: 'unreplayable' };
  return beginning === 'take-over' ? beginning : { kind: beginning };
};

/** A key that is let go between our two looks at it is tried again; so often that giving up means a queue of others. */
const MAX_ATTEMPTS = 10;

/**
 * Runs the work of a request at most once for its key (app-api.md, Idempotency key life cycle). A key that is `known` to have finished is
 * answered as it is, without a lock, however many ask at once. Otherwise it is inserted as running, visible to all, and one transaction
 * locks it, does the work and remembers the response. The row's lock is the proof that the runner lives: whoever finds the row unlocked and
 * unfinished may run. A response of 5xx must be thrown by the work: it rolls back, and the key is free.
 */
export const runIdempotently =
  ({ transaction, idempotency }: Pick<Ports, 'transaction' | 'idempotency'>, maxResponseBytes: number) =>
  async (
    scope: KeyScope,
    fingerprint: string,
    work: (tx: TransactionPorts) => Promise<Response>,
    known: KnownKey | null = null,
  ): Promise<IdempotentOutcome> => {
    const attempt = async (tx: TransactionPorts): Promise<IdempotentOutcome | 'held' | 'again'> => {
      const locked = await tx.idempotency.lock(scope);
      if (locked === null) return 'held';
      const answer = answerKnown(locked, fingerprint);
      if (answer === 'take-over') {
        await tx.idempotency.reset(scope, fingerprint);
        return 'again';
      }
      if (answer) return answer;
      const response = await work(tx);
      const keep = settle(response.status, response.body.length, maxResponseBytes);
      if (keep === 'release')
        throw new Error(`an idempotent request's work answered ${String(response.status)} instead of throwing`);
      await tx.idempotency.remember(scope, { ...response, body: keep === 'remember' ? response.body : null });
      return { kind: 'executed', response };
    };

    const answer = known && answerKnown(known, fingerprint);
    if (answer && answer !== 'take-over') return answer;
    for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
      await idempotency.claim(scope, fingerprint);
      const outcome = await transaction.run(attempt);
      if (outcome === 'again') continue;
      if (outcome !== 'held') return outcome;
      const held = await idempotency.find(scope);
      if (held === null) continue;
      // Whoever has it may have it to replay it, as we would.
      const finished = held.record.state === 'finished' ? held.record : { ...held.record, state: 'running' as const };
      const kept = answerKnown({ ...held, record: finished }, fingerprint);
      if (kept && kept !== 'take-over') return kept;
    }
    return { kind: 'wait' };
  };
