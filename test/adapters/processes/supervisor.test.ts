import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { ForkedEvents } from '../../../src/adapters/wiring/processes/fork.ts';
import { memoryRateLimiter } from '../../../src/adapters/node/rate-limiter.ts';
import { parseConfig, type Config } from '../../../src/adapters/wiring/settings/config.ts';
import { rateLimitPolicies } from '../../../src/adapters/wiring/settings/derived-settings.ts';
import type { SharedPlace, ApiNews } from '../../../src/adapters/wiring/processes/protocol.ts';
import { Supervisor } from '../../../src/adapters/wiring/processes/supervisor.ts';
import { MAX_EXPORTS } from '../../../src/adapters/http/work-share.ts';
import type { MetricsSnapshot } from '../../../src/adapters/prometheus/metrics.ts';

/** A process that only does what the test says. */
interface Fake {
  readonly sent: object[];
  readonly isKilled: () => boolean;
  tell(news: ApiNews): void;
  ask(question: SharedPlace): void;
  /** Answers what it was asked first. */
  answer(answer: MetricsSnapshot | boolean): void;
  end(code: number | null, signal?: string): void;
}

const config = parseConfig({});
let fakes: Fake[];
let ended: number[];
let supervisor: Supervisor;

const fork = ({ onFrame, onEnd }: ForkedEvents) => {
  const sent: object[] = [];
  let isKilled = false;
  const end: Fake['end'] = (code, signal) => onEnd({ code, signal: signal ?? null });
  fakes.push({
    sent,
    isKilled: () => isKilled,
    tell: (news) => onFrame({ news: [news] }),
    ask: (question) => onFrame({ ask: 1, questions: [['place', question]] }),
    answer: (answer) => onFrame({ answered: 1, answers: [answer] }),
    end,
  });
  return {
    pid: fakes.length,
    send: (frame: object) => void sent.push(frame),
    kill: () => {
      isKilled = true;
      end(null, 'SIGKILL');
    },
  };
};

beforeEach(() => {
  vi.useFakeTimers();
  [fakes, ended] = [[], []];
  supervisor = new Supervisor({
    count: 2,
    fork,
    log: pino({ level: 'silent' }),
    limiter: memoryRateLimiter(rateLimitPolicies((config.ok ? config.value : {}) as Config)),
    onEnd: (place) => ended.push(place),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const listen = (fake: Fake | undefined): void => fake?.tell({ kind: 'listening', url: 'http://127.0.0.1:4000' });
const opened = async (): Promise<void> => {
  const opening = supervisor.open();
  for (const fake of fakes) listen(fake);
  expect(await opening).toBe('http://127.0.0.1:4000');
};

it('it is open when all listen', async () => {
  await opened();
  expect(fakes).toHaveLength(2);
});

it('one that cannot start fails the first start with its reason', async () => {
  const opening = supervisor.open();
  listen(fakes[0]);
  fakes[1]?.tell({ kind: 'failed', reason: 'Port 4000 is taken.' });
  fakes[1]?.end(0);
  await expect(opening).rejects.toThrow('Port 4000 is taken.');
});

it('one that ends is replaced at once in its place, and later more and more slowly', async () => {
  await opened();
  fakes[1]?.end(null, 'SIGKILL');
  expect(ended).toEqual([2]);
  vi.advanceTimersByTime(1);
  expect(fakes).toHaveLength(3);
  fakes[2]?.end(1);
  vi.advanceTimersByTime(499);
  expect(fakes).toHaveLength(3);
  vi.advanceTimersByTime(1);
  expect(fakes).toHaveLength(4);
  listen(fakes[3]);
  vi.advanceTimersByTime(20_000);
  fakes[3]?.end(1);
  vi.advanceTimersByTime(1);
  expect(fakes).toHaveLength(5);
});

it('a stop tells every process, ends those that do not end in time, and replaces none', async () => {
  await opened();
  const closing = supervisor.close(8_000);
  await vi.advanceTimersByTimeAsync(1);
  expect(fakes.map(({ sent }) => sent)).toEqual([[{ news: [{ kind: 'stop' }] }], [{ news: [{ kind: 'stop' }] }]]);
  fakes[0]?.end(0);
  await vi.advanceTimersByTimeAsync(8_600);
  expect(fakes[1]?.isKilled()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(fakes[1]?.isKilled()).toBe(true);
  await closing;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fakes).toHaveLength(2);
});

it('the metrics are those of the processes that answer and have not ended since', async () => {
  await opened();
  const snapshotOf = (name: string): MetricsSnapshot => [{ name, help: '', type: 'counter', values: [] }];
  const both = supervisor.metrics();
  await vi.advanceTimersByTimeAsync(1);
  for (const [at, fake] of fakes.entries()) fake.answer(snapshotOf(`of_${String(at + 1)}`));
  expect([...(await both)]).toEqual([
    [1, snapshotOf('of_1')],
    [2, snapshotOf('of_2')],
  ]);

  fakes[0]?.end(1);
  await vi.advanceTimersByTimeAsync(1);
  const found = supervisor.metrics();
  await vi.advanceTimersByTimeAsync(1);
  fakes[2]?.answer(snapshotOf('of_an_ended_one'));
  fakes[2]?.end(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...(await found)]).toEqual([]);
});

it.each([
  ['one that answers is', [false, true], true],
  ['all that answer are not', [false, false], false],
  ['one does not answer, and the other is not', [false, null], false],
])('ready when one of its processes is: %s', async (_title, answers, expected) => {
  await opened();
  const ready = supervisor.isReady();
  await vi.advanceTimersByTimeAsync(1);
  for (const [at, answer] of answers.entries()) if (answer !== null) fakes[at]?.answer(answer);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await ready).toBe(expected);
});

it('not ready while no process listens', async () => {
  await opened();
  for (const fake of [...fakes]) fake.end(1);
  expect(await supervisor.isReady()).toBe(false);
});

it('news of a token go to the other processes', async () => {
  await opened();
  fakes[0]?.tell({ kind: 'token', news: { failed: '192.0.2.1' } });
  await vi.advanceTimersByTimeAsync(1);
  expect(fakes.map(({ sent }) => sent)).toEqual([[], [{ news: [{ kind: 'token', news: { failed: '192.0.2.1' } }] }]]);
});

it('the places of an installation are counted over all processes, and each kind of them alone', async () => {
  await opened();
  const [first, second] = fakes;
  const taken = async (fake: Fake | undefined, place: SharedPlace): Promise<unknown> => {
    fake?.ask(place);
    await vi.advanceTimersByTimeAsync(1);
    return fake?.sent.pop();
  };
  const answer = (isTaken: boolean) => ({ answered: 1, answers: [isTaken] });
  for (let at = 0; at < MAX_EXPORTS; at += 1)
    expect(await taken(at % 2 ? first : second, ['export', 'an app'])).toEqual(answer(true));
  expect(await taken(first, ['export', 'an app'])).toEqual(answer(false));
  expect(await taken(first, ['export', 'another'])).toEqual(answer(true));
  expect(await taken(first, ['wait', 'an app'])).toEqual(answer(true));
  second?.tell({ kind: 'left', place: ['export', 'an app'] });
  expect(await taken(first, ['export', 'an app'])).toEqual(answer(true));
  expect(await taken(first, ['export', 'an app'])).toEqual(answer(false));
  second?.end(1);
  expect(await taken(first, ['export', 'an app'])).toEqual(answer(true));
});
