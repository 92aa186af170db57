import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { openDeadline, withDeadline, withTimeout } from '../../src/adapters/startup/deadline.ts';
import { root } from '../architecture/source.ts';

const afterCollection = (way: 'deadline' | 'any'): unknown => {
  const probe = join(root, 'test/support/waits-after-gc.mjs');
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', probe, way], { cwd: root, encoding: 'utf8' }),
  );
};

const over = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

it('ends after a garbage collection too', () => {
  expect(afterCollection('deadline')).toEqual({ collected: true, ended: 50, of: 50 });
});

it.runIf(process.version.startsWith('v20.'))('the probe finds the pattern that is lost', () => {
  expect(afterCollection('any')).toEqual({ collected: true, ended: 0, of: 50 });
});

it('ends with a TimeoutError when the time is over', async () => {
  expect(await over(openDeadline(1).signal)).toMatchObject({ name: 'TimeoutError' });
});

it('ends with the other signal, for its reason', () => {
  const other = new AbortController();
  const { signal } = openDeadline(60_000, other.signal);
  other.abort('left');
  expect([signal.aborted, signal.reason]).toEqual([true, 'left']);
  expect(openDeadline(60_000, other.signal).signal.reason).toBe('left');
});

it('does not end once it is released, nor when its work is done', async () => {
  const other = new AbortController();
  const released = openDeadline(60_000, other.signal);
  released.release();
  const signal = await withDeadline(60_000, other.signal, async (until) => until);
  other.abort();
  expect([released.signal.aborted, signal.aborted]).toEqual([false, false]);
});

it('gives what the promise gives, or what is given when the time is over', async () => {
  const never = new Promise<string>(() => undefined);
  expect(await withTimeout(60_000, Promise.resolve('answer'), () => 'late')).toBe('answer');
  expect(await withTimeout(1, never, () => 'late')).toBe('late');
  const refuse = (): string => {
    throw new Error('late');
  };
  await expect(withTimeout(1, never, refuse)).rejects.toThrow('late');
});
