import { beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState } from '../../memory/state.ts';
import { KEY_IN_PROGRESS, KEY_NOT_REPLAYABLE, KEY_REUSED } from '../../../src/domain/idempotency/key-use.ts';
import {
  answerKnown,
  isKnownKey,
  runIdempotently,
  type OnceResult,
  type Response,
} from '../../../src/application/idempotency/run-idempotently.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';

const DAY = 86_400;
const MAX_BYTES = 262_144;
const SCOPE = { storeId: 'store', installationId: 'app', key: 'key' };
const ONE = '1'.repeat(64);
const TWO = '2'.repeat(64);
const aClaim = (fingerprint = ONE, key = SCOPE.key) => ({ cause: null, scope: { ...SCOPE, key }, fingerprint });

let clock: ReturnType<typeof manualClock>;
let run: ReturnType<typeof runIdempotently>;
let isKnown: ReturnType<typeof isKnownKey>;
let executions: number;
beforeEach(() => {
  clock = manualClock();
  executions = 0;
  const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, createMemoryState());
  run = runIdempotently(ports, MAX_BYTES);
  isKnown = isKnownKey(ports);
});

const response = (text = '{"done":true}', status = 200): Response => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: new TextEncoder().encode(text),
});
const executed = (given: Response) => ({ ok: true, value: { response: given, isReplay: false } });
const replayed = (given: Response) => ({ ok: true, value: { response: given, isReplay: true } });
const send = (fingerprint = ONE, answer: () => Promise<Response> = () => Promise.resolve(response())) =>
  run(aClaim(fingerprint), () => {
    executions += 1;
    return answer();
  });

/** A request that works until `finish` is called. */
const sendSlowly = async (): Promise<{ finish: (answer: Response) => void; done: Promise<OnceResult> }> => {
  let finish: (answer: Response) => void = () => undefined;
  const done = await new Promise<{ done: Promise<OnceResult> }>((started) => {
    const outcome = send(ONE, () => {
      started({ done: outcome });
      return new Promise<Response>((resolve) => {
        finish = resolve;
      });
    });
  });
  return { finish, ...done };
};

it('a key is known while its request runs and until it expires', async () => {
  expect(await isKnown(SCOPE)).toBe(false);
  const { finish, done } = await sendSlowly();
  expect(await isKnown(SCOPE)).toBe(true);
  finish(response());
  await done;
  clock.advance((DAY - 1) * 1_000);
  expect(await isKnown(SCOPE)).toBe(true);
  clock.advance(2_000);
  expect(await isKnown(SCOPE)).toBe(false);
});

describe('Idempotency key life cycle (per installation and key)', () => {
  it('unknown | request with the key | first use within 24 hours | running | request executes normally', async () => {
    expect(await send()).toEqual(executed(response()));
    expect(executions).toBe(1);
  });

  it('work that the database undid and ran again is remembered once, with the last response', async () => {
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, createMemoryState());
    run = runIdempotently(judgedTransactions(ports), MAX_BYTES);
    const answer = () => Promise.resolve(response(String(executions)));
    expect(await send(ONE, answer)).toEqual(executed(response('2')));
    expect(await send(ONE, answer)).toEqual(replayed(response('2')));
    expect(executions).toBe(2);
  });

  it('running | same key, same request again | original not finished | running | response 409 with header Retry-After: 1', async () => {
    const original = await sendSlowly();
    expect(await send()).toBe(KEY_IN_PROGRESS);
    original.finish(response());
    expect(await original.done).toMatchObject({ value: { isReplay: false } });
    expect(executions).toBe(1);
  });

  it('Same key, different request: 422, also while the first is running', async () => {
    const original = await sendSlowly();
    expect(await send(TWO)).toBe(KEY_REUSED);
    original.finish(response());
    await original.done;
    expect(await send(TWO)).toBe(KEY_REUSED);
    expect(executions).toBe(1);
  });

  it('running | original finishes | status below 500 | finished | response is remembered', async () => {
    for (const [key, status] of [
      ['a', 200],
      ['b', 400],
      ['c', 499],
    ] as const) {
      const again = () => run(aClaim(ONE, key), () => Promise.resolve(response(key, status)));
      expect(await again()).toEqual(executed(response(key, status)));
      expect(await again()).toEqual(replayed(response(key, status)));
    }
  });

  it('running | original finishes | status 5xx | released | a retry executes the request again', async () => {
    await expect(send(ONE, () => Promise.reject(new Error('an outage')))).rejects.toThrow('an outage');
    await expect(send(ONE, () => Promise.resolve(response('', 503)))).rejects.toThrow('returned 503 instead of throwing');
    expect(await send()).toMatchObject({ value: { isReplay: false } });
    expect(executions).toBe(3);
  });

  it('released | a different request may have the key', async () => {
    await expect(send(ONE, () => Promise.reject(new Error('an outage')))).rejects.toThrow('an outage');
    expect(await send(TWO)).toMatchObject({ value: { isReplay: false } });
    expect(await send(ONE)).toBe(KEY_REUSED);
  });

  it('finished | same key, same request | | finished | original status and body returned with header Idempotent-Replay: true; nothing runs again', async () => {
    await send(ONE, () => Promise.resolve(response('first', 201)));
    expect(await send(ONE, () => Promise.resolve(response('second')))).toEqual(replayed(response('first', 201)));
    expect(executions).toBe(1);
  });

  it('finished | same key, different request | | finished | 422', async () => {
    await send();
    expect(await send(TWO)).toBe(KEY_REUSED);
    expect(await send()).toMatchObject({ value: { isReplay: true } });
  });

  it('finished | same key, same request | original response larger than 256 KB | finished | 409 saying the work was done and cannot be replayed', async () => {
    const kept = () => run(aClaim(ONE, 'kept'), () => Promise.resolve(response('x'.repeat(MAX_BYTES))));
    await kept();
    expect(await kept()).toMatchObject({ value: { isReplay: true } });
    await send(ONE, () => Promise.resolve(response('x'.repeat(MAX_BYTES + 1))));
    expect(await send()).toBe(KEY_NOT_REPLAYABLE);
    expect(await send(TWO)).toBe(KEY_REUSED);
    expect(executions).toBe(1);
  });

  it('finished | 24 hours elapse | | unknown | the same key starts a new request', async () => {
    await send();
    clock.advance((DAY - 1) * 1_000);
    expect(await send()).toMatchObject({ value: { isReplay: true } });
    clock.advance(2_000);
    expect(await send(TWO)).toMatchObject({ value: { isReplay: false } });
    expect(await send(TWO)).toMatchObject({ value: { isReplay: true } });
    expect(executions).toBe(2);
  });

  it('finished | same key, same request | known from the beginning | finished | original status and body returned; no lock is taken', () => {
    const known = {
      record: { state: 'finished', fingerprint: ONE, replayable: true },
      response: response('first', 201),
    } as const;
    expect(answerKnown(known, ONE)).toEqual(replayed(response('first', 201)));
    expect(answerKnown(known, TWO)).toBe(KEY_REUSED);
  });

  it.each(['abandoned', 'expired'] as const)(
    '%s | a request with the key | known from the beginning | running | executes',
    (was) => {
      const known = { record: { state: was, fingerprint: ONE, replayable: true }, response: response('first') };
      expect(answerKnown(known, ONE)).toBeNull();
    },
  );

  it('finished | same key, same request | its response is not there any more | finished | 409, nothing runs again', () => {
    const known = { record: { state: 'finished', fingerprint: ONE, replayable: true }, response: null } as const;
    expect(answerKnown(known, ONE)).toBe(KEY_NOT_REPLAYABLE);
  });

  it('a key that becomes free between two reads of it is claimed again, and the request executes', async () => {
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, createMemoryState());
    const claims: string[] = [];
    const transaction: typeof ports.transaction = {
      ...ports.transaction,
      runClaimed: (claim, work) => {
        claims.push(claim.fingerprint);
        return claims.length > 1 ? ports.transaction.runClaimed(claim, work) : ports.transaction.run(null, work);
      },
    };
    const again = runIdempotently({ ...ports, transaction }, MAX_BYTES);
    expect(await again(aClaim(), () => Promise.resolve(response()))).toEqual(executed(response()));
    expect(claims).toEqual([ONE, ONE]);
  });

  it('running | same key, same request again | another holds its lock | 409 after one read of it', async () => {
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, createMemoryState());
    const reads: string[] = [];
    const find: typeof ports.idempotency.find = (scope) => {
      reads.push(scope.key);
      return ports.idempotency.find(scope);
    };
    const observed = runIdempotently({ ...ports, idempotency: { ...ports.idempotency, find } }, MAX_BYTES);
    await ports.transaction.runClaimed(aClaim(), async (tx) => {
      await tx.idempotency.lock(SCOPE);
      expect(await observed(aClaim(), () => Promise.resolve(response()))).toBe(KEY_IN_PROGRESS);
    });
    expect(reads).toEqual([SCOPE.key]);
  });

  it('finished | same key, same request | while another replays it | finished | original status and body returned', async () => {
    const state = createMemoryState();
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, state);
    const first = runIdempotently(ports, MAX_BYTES);
    await first(aClaim(), () => Promise.resolve(response('first')));
    await ports.transaction.run(null, async (tx) => {
      await tx.idempotency.lock(SCOPE);
      const beside = await first(aClaim(), () => Promise.resolve(response('second')));
      expect(beside).toEqual(replayed(response('first')));
      expect(await first(aClaim(TWO), () => Promise.resolve(response('second')))).toBe(KEY_REUSED);
    });
  });

  it('running | same key, same request again | its key becomes free between every two reads of it | 409 after ten of them', async () => {
    const looks: string[] = [];
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: DAY }, createMemoryState());
    const idempotency = { ...ports.idempotency, find: () => Promise.resolve(null) };
    const runClaimed = (): Promise<never> => {
      looks.push('held');
      return Promise.resolve('held' as never);
    };
    const transaction = { run: runClaimed, runClaimed };
    const queued = runIdempotently({ transaction, idempotency }, MAX_BYTES);
    expect(await queued(aClaim(), () => Promise.resolve(response()))).toBe(KEY_IN_PROGRESS);
    expect(looks).toHaveLength(10);
  });
});
