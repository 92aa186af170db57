import { beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../../memory/clock.ts';
import { deliverDue } from '../../../src/application/webhooks/delivery/deliver-due.ts';
import type { ObservedAttempt } from '../../../src/domain/webhooks/delivery.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import { HEALTHY } from '../../../src/domain/webhooks/subscription-health.ts';
import type {
  AttemptRecord,
  DeliveryTarget,
  DueDelivery,
  HealthRecord,
} from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import type { WebhookRequest, WebhookResponse } from '../../../src/domain/ports/webhooks/webhook-sender.ts';

/** Name in the log of a turn. */
const named = ({ storeId, subscriptionId }: SubscriptionKey): string => `${storeId}/${subscriptionId}`;

const SCHEDULE = { waits: [0, 100, 200, 300] };
const response = (status: number): WebhookResponse => ({
  status,
  error: null,
  address: '192.0.2.1',
  body: '',
  retryAfterSeconds: null,
  durationMs: 250,
});

/** Runs a turn of a worker over ports whose answers the test sets. */
describe('one turn', () => {
  const clock = manualClock(Date.UTC(2026, 0, 1) + 999);
  let queue: DueDelivery[];
  let target: DeliveryTarget | null;
  let nextDue: number | null;
  let mayBegin: () => boolean | Promise<boolean>;
  /** How often a turn asked whether it may begin. */
  let asked: number;
  let jitter: number;
  /** The random byte of each draw, and how many were drawn. */
  let random: number;
  let drawn: number;
  let isFree: boolean;
  let stop: AbortController;
  let stopping: AbortController;
  let answer: (request: WebhookRequest) => Promise<WebhookResponse | null> | WebhookResponse | null;
  let settling: () => Promise<void>;
  let log: string[];
  let sent: WebhookRequest[];
  let settled: { attempt: AttemptRecord; health: readonly HealthRecord[] }[];
  let observed: ObservedAttempt[];
  let looks: { limit: number; taken: readonly string[]; sent: number }[];
  let looking: () => Promise<void>;

  const due = (id: string, more: Partial<DueDelivery> = {}): DueDelivery => ({
    id,
    eventId: `event of ${id}`,
    body: '{}',
    traceparent: null,
    origin: null,
    attempts: 0,
    tries: 0,
    ageSeconds: 3,
    gap: null,
    ...more,
  });

  beforeEach(() => {
    [queue, log, sent, settled, observed, looks] = [[], [], [], [], [], []];
    target = {
      subscriptionId: 's',
      storeId: 'store',
      installationId: 'app',
      url: 'u',
      secrets: ['sealed'],
      secretsOf: 'app',
      health: HEALTHY,
      held: false,
      isOrdered: false,
    };
    [nextDue, mayBegin, isFree] = [null, () => true, true];
    [asked, jitter, random, drawn] = [0, 0, 128, 0];
    [stop, stopping] = [new AbortController(), new AbortController()];
    answer = () => response(200);
    [settling, looking] = [() => Promise.resolve(), () => Promise.resolve()];
  });

  const turn = (maxInFlight = 4): Promise<void> => {
    const ports = {
      clock,
      secrets: {
        open: (sealed: string, context: string) => `${sealed} of ${context}`,
        webhookSigner: (key: string) => () => `signed by ${key}`,
        randomBytes: (size: number) => {
          drawn += size;
          return new Uint8Array(size).fill(random);
        },
      },
      webhookSender: {
        send: async (request: WebhookRequest) => {
          sent.push(request);
          return await answer(request);
        },
      },
      deliveries: {
        target: () => Promise.resolve(target),
        due: async (_: string, limit: number, taken: readonly string[]) => {
          looks.push({ limit, taken, sent: sent.length });
          await looking();
          return queue.splice(0, limit);
        },
        settle: async (attempts: readonly AttemptRecord[], health: readonly HealthRecord[]) => {
          await settling();
          for (const attempt of attempts) settled.push({ attempt, health });
          return [];
        },
        nextDueSeconds: () => Promise.resolve(nextDue),
      },
      locator: { storeOf: () => Promise.resolve('a store') },
      workLeases: {
        acquire: async () => {
          if (!isFree) return null;
          const release = async (): Promise<void> => void log.push('release');
          const begins = (): boolean | Promise<boolean> => {
            asked += 1;
            return mayBegin();
          };
          return { signal: stop.signal, mayBegin: begins, release };
        },
      },
      deliveryQueue: {
        wake: async (keys: readonly SubscriptionKey[]) => void log.push(`wake ${keys.map(named).join()}`),
        wakeLater: async (key: SubscriptionKey, seconds: number) => void log.push(`wake ${named(key)} in ${String(seconds)} s`),
      },
    };
    const onAttempt = (attempt: ObservedAttempt): void => void observed.push(attempt);
    const settings = { schedule: { ...SCHEDULE, jitter }, maxInFlight, stopping: stopping.signal, onAttempt };
    return deliverDue(ports as unknown as Parameters<typeof deliverDue>[0], settings)({ storeId: 'store', subscriptionId: 's' });
  };

  it('releases the lease before it requests the next turn: now when more is due, else later', async () => {
    nextDue = 0;
    await turn();
    nextDue = 7;
    await turn();
    nextDue = null;
    await turn();
    expect(log).toEqual(['release', 'wake store/s', 'release', 'wake store/s in 7 s', 'release']);
  });
  it('asks again in a second when another has it, unless nothing is queued', async () => {
    isFree = false;
    await turn();
    nextDue = 0;
    await turn();
    expect(log).toEqual(['wake store/s in 1 s']);
  });
  it('does nothing on a node that stops', async () => {
    stopping.abort();
    [queue, nextDue] = [[due('d')], 0];
    await turn();
    expect([log, sent, looks]).toEqual([[], [], []]);
  });
  it('begins no more once the node stops', async () => {
    queue = [due('a'), due('b'), due('c')];
    answer = () => {
      stopping.abort();
      return response(200);
    };
    await turn(1);
    expect(sent).toHaveLength(1);
    expect(settled.map(({ attempt }) => attempt.deliveryId)).toEqual(['a']);
  });
  it('sends nothing, and asks for no turn, once the subscription is gone', async () => {
    [target, queue, nextDue] = [null, [due('d')], 0];
    await turn();
    expect([sent, log]).toEqual([[], ['release']]);
  });
  it.each([
    ['held', { held: true }],
    ['without a secret to sign with', { secrets: [] }],
  ])('sends nothing, and asks for no turn, while the subscription is %s', async (_, state) => {
    target = target && { ...target, ...state };
    [queue, nextDue] = [[due('d')], 0];
    await turn();
    expect([sent, log]).toEqual([[], ['release']]);
  });
  it("signs with every secret, the app's under its id and the merchant's under the subscription's; the longest due first", async () => {
    queue = [due('a', { attempts: 2 }), due('b')];
    target = target && { ...target, secrets: ['new', 'old'] };
    await turn(1);
    expect(sent.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']])).toEqual([
      ['event of a', '3'],
      ['event of b', '1'],
    ]);
    expect(sent[0]?.headers['webhook-signature']).toBe('signed by new of app signed by old of app');
    expect(sent[0]?.headers['webhook-timestamp']).toBe('1767225600');
    queue = [due('c')];
    target = target && { ...target, installationId: null, secretsOf: 's' };
    await turn();
    expect(sent.at(-1)?.headers['webhook-signature']).toBe('signed by new of s signed by old of s');
  });
  it('the schedule counts its own tries, the headers all attempts', async () => {
    queue = [due('d', { attempts: 9, tries: 1 })];
    answer = () => response(500);
    await turn();
    expect(settled[0]?.attempt).toMatchObject({ number: 10, verdict: { kind: 'retry', inSeconds: 200 } });
  });
  it.each([
    [0, 80],
    [64, 90],
    [128, 100],
    [192, 110],
  ])('a random byte of %i makes a wait of 100 s one of %i s at a jitter of 20 %%', async (byte, inSeconds) => {
    [random, jitter, queue] = [byte, 0.2, [due('d')]];
    answer = () => response(500);
    await turn();
    expect(settled[0]?.attempt.verdict).toEqual({ kind: 'retry', inSeconds: expect.closeTo(inSeconds, 9) });
  });
  it('draws a random byte for a retry only', async () => {
    queue = [due('a'), due('b'), due('c')];
    const statuses = [200, 500, 204];
    answer = () => response(statuses.shift() ?? 0);
    await turn(1);
    expect(drawn).toBe(1);
  });
  it('records of an attempt when it began, how long it took, and what was answered from where', async () => {
    queue = [due('d', { attempts: 1, tries: 1 })];
    answer = () => ({ ...response(200), body: 'thanks' });
    const startedAt = clock.now();
    await turn();
    expect(settled[0]?.attempt).toEqual({
      storeId: 'store',
      deliveryId: 'd',
      number: 2,
      startedAt,
      waitedMs: null,
      durationMs: 250,
      status: 200,
      address: '192.0.2.1',
      error: null,
      response: 'thanks',
      signature: 'signed by sealed of app',
      gap: null,
      verdict: { kind: 'delivered' },
    });
  });
  it('reports each recorded attempt: its outcome, its duration, and for a first one how long after the commit it began', async () => {
    queue = [due('a'), due('b', { attempts: 1, tries: 1 })];
    answer = async ({ headers }) => {
      if (headers['webhook-attempt'] === '1') clock.advance(2000);
      return response(headers['webhook-attempt'] === '1' ? 200 : 500);
    };
    queue.push(due('c'));
    await turn(1);
    const first = { outcome: 'delivered', durationSeconds: 0.25 };
    expect(observed).toEqual([
      { ...first, waitedSeconds: 3 },
      { outcome: 'retry', durationSeconds: 0.25, waitedSeconds: null },
      { ...first, waitedSeconds: 5 },
    ]);
    expect(settled.map(({ attempt }) => attempt.waitedMs)).toEqual([3_000, null, 5_000]);
  });
  it("writes a subscription's health when it fails and when it recovers, not when it stays healthy", async () => {
    const statuses = [200, 500, 500, 200, 200];
    queue = statuses.map((_, n) => due(String(n)));
    answer = () => response(statuses.shift() ?? 0);
    await turn(1);
    expect(settled.map(({ health }) => health.map(({ failures }) => failures))).toEqual([[], [1], [2], [0], []]);
  });
  it('a subscription that is deactivated gets nothing more', async () => {
    queue = [due('a'), due('b')];
    answer = () => response(410);
    await turn(1);
    expect(sent).toHaveLength(1);
    expect(settled[0]?.health).toMatchObject([{ subscriptionId: 's', deactivates: true }]);
  });
  it('the attempts that are in flight when the breaker opens do not count as probes: the first comes after 30 s', async () => {
    target = target && { ...target, health: { failures: 9, failingForSeconds: 9, probeInSeconds: null } };
    queue = ['a', 'b', 'c', 'd', 'e'].map((id) => due(id));
    answer = () => response(500);
    nextDue = 0;
    await turn();
    expect(sent).toHaveLength(4);
    expect(log).toEqual(['release', 'wake store/s in 30 s']);
  });
  it('an open breaker that is due for its probe sends one, and waits for the next probe', async () => {
    target = target && { ...target, health: { failures: 10, failingForSeconds: 9, probeInSeconds: -1 } };
    queue = [due('a'), due('b')];
    nextDue = 0;
    answer = () => response(500);
    await turn();
    expect(sent).toHaveLength(1);
    expect(log).toEqual(['release', 'wake store/s in 60 s']);
  });
  it('an attempt begins under a valid lease alone: without one nothing is sent', async () => {
    queue = [due('a'), due('b')];
    mayBegin = () => false;
    await turn();
    mayBegin = () => Promise.resolve(false);
    queue = [due('a'), due('b')];
    await turn();
    expect(sent).toEqual([]);
  });
  it('a lease that is lost for one attempt is lost for the whole turn', async () => {
    queue = [due('a'), due('b')];
    mayBegin = () => asked > 1;
    await turn(1);
    expect([asked, sent, settled]).toEqual([1, [], []]);
  });
  it('releases the lease when all attempts in flight are recorded, also when the node stops', async () => {
    queue = [due('a'), due('b'), due('c')];
    const ends: (() => void)[] = [];
    answer = () => new Promise((resolve) => ends.push(() => resolve(response(200))));
    const over = turn(2);
    while (ends.length < 2) await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    ends[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect([settled.length, log]).toEqual([1, []]);
    ends[1]?.();
    await over;
    expect(settled.map(({ attempt }) => attempt.deliveryId)).toEqual(['a', 'b']);
    expect(log).toEqual(['release']);
  });
  it('a delivery that comes while an attempt hangs is sent in the same turn', async () => {
    queue = [due('a')];
    const bySent: ((sent: WebhookResponse) => void)[] = [];
    answer = () => new Promise((resolve) => bySent.push(resolve));
    const over = turn();
    while (looks.length < 2) await new Promise((resolve) => setImmediate(resolve));
    queue = [due('b')];
    clock.advance(250);
    for (let round = 0; round < 100 && bySent.length < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
    for (const end of bySent) end(response(200));
    await over;
    expect(settled.map(({ attempt }) => attempt.deliveryId)).toEqual(['a', 'b']);
  });
  it('a look-up that fails ends the turn, which throws once all attempts in flight are recorded', async () => {
    const failure = new Error('the database is gone');
    [queue, nextDue] = [[due('a')], 0];
    looking = () => (looks.length < 2 ? Promise.resolve() : Promise.reject(failure));
    await expect(turn()).rejects.toBe(failure);
    expect(settled.map(({ attempt }) => attempt.deliveryId)).toEqual(['a']);
    expect(log).toEqual(['release']);
  });
  it('the first of several errors is the one that a turn throws', async () => {
    const failures = [new Error('first'), new Error('second')];
    const [first] = failures;
    queue = [due('a'), due('b')];
    answer = () => Promise.reject(failures.shift() ?? new Error('another'));
    await expect(turn(2)).rejects.toBe(first);
    expect(failures).toEqual([]);
  });
  it('an open breaker that is not due for its probe sends nothing', async () => {
    target = target && { ...target, health: { failures: 10, failingForSeconds: 9, probeInSeconds: 5 } };
    [queue, nextDue] = [[due('a')], 0];
    await turn();
    expect(sent).toEqual([]);
    expect(log).toEqual(['release', 'wake store/s in 5 s']);
  });
  it('an attempt ends before the next begins where one may be in flight', async () => {
    queue = [due('a'), due('b'), due('c')];
    let [inFlight, most] = [0, 0];
    answer = async () => {
      most = Math.max(most, (inFlight += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return response(200);
    };
    await turn(1);
    expect([most, sent.length]).toEqual([1, 3]);
  });
  it('a lease that ends aborts what is in flight, which counts as not begun', async () => {
    queue = [due('a'), due('b')];
    answer = () => {
      stop.abort();
      return null;
    };
    await turn(1);
    expect([sent.length, settled, observed]).toEqual([1, [], []]);
    expect(log).toEqual(['release']);
  });
  it('an attempt that cannot be recorded ends the turn, which throws', async () => {
    const failure = new Error('the database is gone');
    queue = [due('a'), due('b')];
    settling = () => Promise.reject(failure);
    await expect(turn(1)).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
    expect([log, observed]).toEqual([['release'], []]);
  });
  it('yields after 1,000 deliveries', async () => {
    queue = Array.from({ length: 1500 }, (_, n) => due(String(n)));
    nextDue = 0;
    await turn();
    expect([sent.length, queue.length]).toEqual([1000, 500]);
    expect(log).toEqual(['release', 'wake store/s']);
  });
  it('yields after five seconds, once what it has taken is sent', async () => {
    queue = Array.from({ length: 200 }, (_, n) => due(String(n)));
    answer = () => {
      clock.advance(1000);
      return response(200);
    };
    await turn(1);
    expect(sent).toHaveLength(50);
  });
  it('sends what it has before it looks for more', async () => {
    queue = [due('a')];
    await turn();
    expect(looks.map(({ sent: sentBefore }) => sentBefore)).toEqual([0, 1]);
  });
  it('takes the next batch while the last of this one are sent', async () => {
    queue = Array.from({ length: 60 }, (_, n) => due(String(n)));
    await turn(1);
    expect(looks[1]?.sent).toBeLessThan(50);
    expect(sent).toHaveLength(60);
  });
  it('waits for a look-up under way before it releases the lease', async () => {
    queue = Array.from({ length: 60 }, (_, n) => due(String(n)));
    let found = (): void => undefined;
    const second = new Promise<void>((resolve) => (found = resolve));
    looking = () => (looks.length < 2 ? Promise.resolve() : second);
    const last = new Promise<void>((resolve) => {
      answer = () => {
        if (looks.length === 2) {
          stopping.abort();
          resolve();
        }
        return response(200);
      };
    });
    const over = turn(1);
    await last;
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual([]);
    found();
    await over;
    expect(log).toEqual(['release']);
  });
  it('takes nothing again that it has not recorded yet', async () => {
    queue = [due('a')];
    let look = (): void => undefined;
    const looked = new Promise<void>((resolve) => (look = resolve));
    answer = async () => {
      queue = [due('b')];
      answer = () => {
        look();
        return response(200);
      };
      await looked;
      return response(200);
    };
    const over = turn();
    while (sent.length < 2) {
      clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await over;
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(['event of a', 'event of b']);
    expect(looks.filter(({ taken }) => taken.includes('a')).length).toBeGreaterThanOrEqual(1);
  });
});
