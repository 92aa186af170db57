import { afterEach, beforeEach, expect, it, vi, type Mock } from 'vitest';

import type { BackendsAnswer } from '../../src/adapters/postgres/backends.ts';
import { statementLimit, Watch } from '../../src/adapters/postgres/watch.ts';
import type { WatchedClient } from '../../src/adapters/postgres/watched-client.ts';

const backend = { pid: 7, startedAt: '1' };

/** A connection that owes an answer, as the test changes it. */
const aConnection = (changes: Partial<WatchedClient> = {}) => {
  const client = {
    backend,
    beatMs: Infinity,
    limit: statementLimit(0),
    progress: 1,
    isWaiting: true,
    isFree: false,
    isEnding: false,
    isOurTurn: false,
    destroy: vi.fn(),
    beat: vi.fn(),
    ...changes,
  };
  return client as Omit<typeof client, 'destroy' | 'beat'> & { readonly destroy: Mock; readonly beat: Mock };
};

const answering = (answer: BackendsAnswer) => vi.fn(() => Promise.resolve(answer));
const watching = (
  clients: readonly ReturnType<typeof aConnection>[],
  answer: BackendsAnswer = null,
): ReturnType<typeof answering> => {
  const ask = answering(answer);
  const watch = new Watch({ limit: statementLimit(0), ask });
  for (const client of clients) watch.add(client as unknown as WatchedClient);
  return ask;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a connection is ended after its limit, and not before', async () => {
  const client = aConnection({ limit: statementLimit(10_000) });
  watching([client]);
  await vi.advanceTimersByTimeAsync(11_900);
  expect(client.destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(700);
  expect(client.destroy).toHaveBeenCalledOnce();
});

it('a connection that progresses or owes nothing is kept', async () => {
  const [idle, busy] = [aConnection({ isWaiting: false, isFree: true }), aConnection()];
  watching([idle, busy]);
  for (let second = 0; second < 60; second += 1) {
    Object.assign(busy, { progress: busy.progress + 1 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect([idle.destroy, busy.destroy].map(({ mock }) => mock.calls)).toEqual([[], []]);
});

it('the time that the process was paused does not count', async () => {
  const client = aConnection({ limit: statementLimit(1_000) });
  watching([client]);
  await vi.advanceTimersByTimeAsync(1_000);
  const before = performance.now();
  const paused = vi.spyOn(performance, 'now').mockImplementation(() => before + 60_000);
  await vi.advanceTimersByTimeAsync(300);
  paused.mockRestore();
  expect(client.destroy).not.toHaveBeenCalled();
});

it.each<[string, BackendsAnswer, Partial<WatchedClient>, boolean]>([
  ['the server works on it, without a limit of its own', [{ ...backend, doing: 'works' }], {}, true],
  ['the server refuses the connection for the question', 'refused', {}, true],
  ['the server waits for us, and it is our turn', [{ ...backend, doing: 'waits' }], { isOurTurn: true }, true],
  ['the server waits for us, who wait for it', [{ ...backend, doing: 'waits' }], {}, false],
  ['the server does not have it', [], {}, false],
  ['another connection has its number', [{ ...backend, startedAt: '2', doing: 'works' }], {}, false],
  ['nobody answers', null, {}, false],
  [
    'the server works on it for longer than its limit',
    [{ ...backend, doing: 'works' }],
    { limit: statementLimit(10_000) },
    false,
  ],
])('of a silent connection: %s', async (_title, answer, changes, isKept) => {
  const client = aConnection(changes);
  const ask = watching([client], answer);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ask).toHaveBeenCalledWith([backend.pid]);
  expect(client.destroy.mock.calls.length === 0).toBe(isKept);
});

it('with a lost connection end the idle ones that have been silent as well, and no others', async () => {
  const lost = aConnection();
  const idle = aConnection({ isWaiting: false, isFree: true });
  const inTransaction = aConnection({ isWaiting: false });
  const heard = aConnection({ isWaiting: false, isFree: true });
  watching([lost, idle, inTransaction, heard]);
  await vi.advanceTimersByTimeAsync(10_000);
  Object.assign(heard, { progress: 2 });
  await vi.advanceTimersByTimeAsync(3_000);
  expect([lost, idle, inTransaction, heard].map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 1, 0, 0]);
});

it('a retired connection ends when it is free, and after a second even if it is busy', async () => {
  const free = aConnection({ isWaiting: false, isFree: true, isRetired: true });
  const busy = aConnection({ isRetired: true });
  watching([free, busy]);
  await vi.advanceTimersByTimeAsync(300);
  expect([free, busy].map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(800);
  expect(busy.destroy).toHaveBeenCalledOnce();
});

it('an idle connection is asked for a sign of life where one is asked for', async () => {
  const shared = aConnection({ isWaiting: false, isFree: true, beatMs: 2_000 });
  const pooled = aConnection({ isWaiting: false, isFree: true });
  watching([shared, pooled]);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(shared.beat).toHaveBeenCalledOnce();
  expect(pooled.beat).not.toHaveBeenCalled();
});
