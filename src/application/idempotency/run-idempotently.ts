import { begin, settle } from '../../domain/idempotency/idempotency.ts';
import type { KeyScope, KnownKey, RememberedResponse } from '../../domain/ports/idempotency-repository.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';

/** A response as it is sent. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type IdempotentOutcome =
  | { readonly kind: 'executed'; readonly response: Response }
  | { readonly kind: 'replay'; readonly response: RememberedResponse }
  | { readonly kind: 'wait' | 'mismatch' | 'unreplayable' };

/** The answer to a request whose key has finished or is in use. Null when the request may run. */
const answerKnown = ({ record, response }: KnownKey, fingerprint: string): IdempotentOutcome | 'take-over' | null => {
  const beginning = begin(record, fingerprint);
  if (beginning === 'run') return null;
  if (beginning === 'replay') return response ? { kind: 'replay', response } : { kind: 'unreplayable' };
  return beginning === 'take-over' ? beginning : { kind: beginning };
};

/**
 * The most tries of a key that becomes free between two reads. After them, many other requests have
 * the key.
 */
const MAX_ATTEMPTS = 10;

/**
 * Runs the work of a request at most once for its key (app-api.md, Idempotency key life cycle). A
 * key that is `known` to have finished is answered without a lock. Otherwise the key is inserted as
 * running, visible to all, and one transaction locks its row, does the work and stores the
 * response. The row's lock proves that the request still runs: a request that finds the row
 * unlocked and unfinished may run. Work that fails with 5xx must throw, which rolls back and frees
 * the key.
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
        throw new Error(`The work of an idempotent request returned ${response.status} instead of throwing.`);
      await tx.idempotency.remember(scope, { ...response, body: keep === 'remember' ? response.body : null });
      return { kind: 'executed', response };
    };

    const answer = known && answerKnown(known, fingerprint);
    if (answer && answer !== 'take-over') return answer;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      await idempotency.claim(scope, fingerprint);
      const outcome = await transaction.run(attempt);
      if (outcome === 'again') continue;
      if (outcome !== 'held') return outcome;
      const held = await idempotency.find(scope);
      if (held === null) continue;
      // The request that holds the lock may hold it only to replay the response.
      const finished = held.record.state === 'finished' ? held.record : { ...held.record, state: 'running' as const };
      const kept = answerKnown({ ...held, record: finished }, fingerprint);
      if (kept && kept !== 'take-over') return kept;
    }
    return { kind: 'wait' };
  };
