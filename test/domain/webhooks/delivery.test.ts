import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import {
  deliveryErrorOf,
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  judgeAttempt,
  scheduleLength,
  wasSent,
  type AttemptOutcome,
} from '../../../src/domain/webhooks/delivery.ts';
import {
  DEACTIVATE_AFTER_SECONDS,
  HEALTHY,
  afterAttempt,
  allowedInFlight,
} from '../../../src/domain/webhooks/subscription-health.ts';
import type { SharedTraceparent } from '../../../src/domain/trace.ts';
import { attemptHeaders, sentHeaders, signedContent } from '../../../src/domain/webhooks/webhook-message.ts';

const SCHEDULE = { waits: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400], jitter: 0.2 };
const MIDDLE = 0.5;
const response = (status: number, retryAfterSeconds: number | null = null): AttemptOutcome => ({
  status,
  error: null,
  retryAfterSeconds,
});
const silent: AttemptOutcome = { status: null, error: 'timeout', retryAfterSeconds: null };

it('the names of statuses and errors are public, so none is renamed or removed', () => {
  expect(DELIVERY_STATUSES).toEqual(['Waiting', 'Retrying', 'Delivered', 'Failed', 'Dropped']);
  expect(ATTEMPT_ERRORS).toEqual([
    ...['name_not_resolved', 'name_lookups_busy', 'address_not_allowed', 'connection_failed', 'connect_timeout', 'tls_failed'],
    ...['certificate_expired', 'certificate_not_yet_valid', 'certificate_of_another_name', 'certificate_untrusted', 'timeout'],
    ...['connection_closed', 'invalid_response', 'proxy_failed'],
  ]);
});

describe('judgeAttempt', () => {
  it.each([200, 201, 204, 299])('%i is delivered', (status) => {
    expect(judgeAttempt(SCHEDULE, 1, response(status), MIDDLE)).toEqual({ kind: 'delivered' });
  });
  it.each([
    ['no response', silent],
    ['an informational status', response(199)],
    ['a status of 300', response(300)],
    ['a redirect', response(302)],
    ['a client error', response(404)],
    ['a server error', response(500)],
    ['a 200 whose body broke off', { status: 200, error: 'timeout', retryAfterSeconds: null } as const],
  ])('%s is tried again', (_, outcome) => {
    expect(judgeAttempt(SCHEDULE, 1, outcome, MIDDLE)).toEqual({ kind: 'retry', inSeconds: 5 });
  });
  it.each(SCHEDULE.waits.slice(1).map((wait, index) => [index + 1, wait]))('after try %i it waits %i s', (tries, wait) => {
    expect(judgeAttempt(SCHEDULE, tries, response(500), MIDDLE)).toEqual({ kind: 'retry', inSeconds: wait });
  });
  it('after the tenth it has failed', () => {
    expect(judgeAttempt(SCHEDULE, 10, response(500), MIDDLE)).toEqual({ kind: 'failed' });
  });
  it('a wait strays by 20 % at most', () => {
    expect(judgeAttempt(SCHEDULE, 2, response(500), 0)).toEqual({ kind: 'retry', inSeconds: 240 });
    const most = judgeAttempt(SCHEDULE, 2, response(500), 1 - 2 ** -32);
    expect(most.kind === 'retry' && most.inSeconds).toBeCloseTo(360, 3);
  });
  it('410 is final', () => {
    expect(judgeAttempt(SCHEDULE, 1, response(410), MIDDLE)).toEqual({ kind: 'failed' });
  });
  it.each([
    ['at least 60 s', 1, null, 60],
    ['the planned wait when it is longer', 3, null, 1800],
    ['Retry-After', 2, 500, 500],
    ['Retry-After up to twice the planned wait', 2, 5000, 600],
    ['60 s where twice the planned wait is less', 1, 5000, 60],
    ['no less than planned by a shorter Retry-After', 2, 1, 300],
  ])('429 and 503 wait %s', (_, tries, retryAfter, inSeconds) => {
    for (const status of [429, 503]) {
      expect(judgeAttempt(SCHEDULE, tries, response(status, retryAfter), MIDDLE)).toEqual({ kind: 'retry', inSeconds });
    }
  });
  it('Retry-After is measured by the planned wait as it is before it strays', () => {
    expect(judgeAttempt(SCHEDULE, 2, response(503, 5000), 0)).toEqual({ kind: 'retry', inSeconds: 600 });
  });
  it('Retry-After counts for nothing else', () => {
    expect(judgeAttempt(SCHEDULE, 1, response(500, 400), MIDDLE)).toEqual({ kind: 'retry', inSeconds: 5 });
  });
});

it.each([
  [null, 'timeout', 'timeout'],
  [200, 'connection_closed', 'connection_closed'],
  [200, null, null],
  [299, null, null],
  [300, null, 'http_3xx'],
  [399, null, 'http_3xx'],
  [400, null, 'http_4xx'],
  [499, null, 'http_4xx'],
  [500, null, 'http_5xx'],
] as const)('an attempt with status %s and error %s failed for %s', (status, error, expected) => {
  expect(deliveryErrorOf({ status, error })).toBe(expected);
});

it('the length of the schedule is the sum of its waits', () => {
  expect(scheduleLength(SCHEDULE)).toBe(272_105);
});

describe('afterAttempt', () => {
  const failing = (failures: number) => ({ failures, failingForSeconds: 10, probeInSeconds: null });

  it('a success heals', () => {
    expect(afterAttempt({ failures: 12, failingForSeconds: 9, probeInSeconds: -1 }, response(200))).toEqual({
      ...HEALTHY,
      deactivates: false,
    });
  });
  it('the first failure begins a series', () => {
    const after = { failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: false };
    expect(afterAttempt(HEALTHY, silent)).toEqual(after);
  });
  it.each([
    [8, null],
    [9, 30],
    [10, 60],
    [11, 120],
    [12, 240],
    [13, 480],
    [14, 900],
    [40, 900],
    [5000, 900],
  ])('after %i failures and one more the next probe is due in %s s', (failures, probe) => {
    expect(afterAttempt(failing(failures), silent).probeInSeconds).toBe(probe);
  });
  it('410 deactivates', () => {
    expect(afterAttempt(HEALTHY, response(410)).deactivates).toBe(true);
  });
  it.each([
    [DEACTIVATE_AFTER_SECONDS - 1, false],
    [432_000, true],
  ])('%i s without a success: deactivates is %s', (failingForSeconds, deactivates) => {
    expect(afterAttempt({ ...failing(3), failingForSeconds }, silent).deactivates).toBe(deactivates);
  });
});

it.each([
  ['closed', null, 4],
  ['open', 1, 0],
  ['due for its probe', 0, 1],
  ['past its probe', -3, 1],
])('the breaker is %s', (_, probeInSeconds, allowed) => {
  expect(allowedInFlight({ ...HEALTHY, probeInSeconds }, 4)).toBe(allowed);
});

it("what is signed is Standard Webhooks': its own vector", () => {
  const content = signedContent('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(createHmac('sha256', key).update(content).digest('base64')).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Tenon-Webhooks',
  'webhook-id': 'e',
  'webhook-timestamp': '7',
  'webhook-signature': 'v1,new v1,old',
  'webhook-subscription-id': 's',
  'webhook-attempt': '2',
};
const ATTEMPT = { eventId: 'e', timestamp: 7, signature: 'v1,new v1,old', subscriptionId: 's', number: 2 };

it('the headers of an attempt', () => {
  expect(attemptHeaders(ATTEMPT)).toEqual(HEADERS);
});

it('the headers of an attempt whose event belongs to a trace, or comes behind one that was given up, say so', () => {
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` as SharedTraceparent;
  const gap = 'the-event-before';
  expect(attemptHeaders({ ...ATTEMPT, traceparent, gap })).toEqual({ ...HEADERS, traceparent, 'webhook-gap': gap });
  expect(attemptHeaders({ ...ATTEMPT, traceparent: null, gap: null })).toEqual(HEADERS);
});

it('the headers of its request, in their order; without the host when the URL is not known any more', () => {
  const others = [['connection', 'keep-alive'], ...Object.entries(HEADERS), ['content-length', '12']];
  expect(Object.entries(sentHeaders(null, ATTEMPT, 12))).toEqual(others);
  const sent = Object.entries(sentHeaders('https://hooks.example.com:8443/x?y', ATTEMPT, 12));
  expect(sent).toEqual([['host', 'hooks.example.com:8443'], ...others]);
});

it('nothing was sent when there was no connection', () => {
  const unsent = ATTEMPT_ERRORS.filter((error) => !wasSent({ error }));
  expect(unsent).toEqual([
    'name_not_resolved',
    'name_lookups_busy',
    'address_not_allowed',
    'connection_failed',
    'connect_timeout',
    'tls_failed',
    'certificate_expired',
    'certificate_not_yet_valid',
    'certificate_of_another_name',
    'certificate_untrusted',
    'proxy_failed',
  ]);
  expect(wasSent({ error: null })).toBe(true);
});
