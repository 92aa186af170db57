import { expect, it } from 'vitest';

import { poll, retry } from '../../src/domain/retry.ts';

const pauses: number[] = [];
const pause = (failed: number): Promise<void> => {
  pauses.push(failed);
  return Promise.resolve();
};

/** Fails with each of these errors in turn, and then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors];
  return (): Promise<string> => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
};

it('tries again until the work succeeds, and counts the failures before each pause', async () => {
  pauses.length = 0;
  await expect(retry(failing(new Error('one'), new Error('two')), { tries: 3, pause })).resolves.toBe('done');
  expect(pauses).toEqual([1, 2]);
});

it('throws the error of the last try', async () => {
  pauses.length = 0;
  await expect(retry(failing(new Error('one'), new Error('two')), { tries: 2, pause })).rejects.toThrow('two');
  expect(pauses).toEqual([1]);
});

it('tries no more after an error that does not pass', async () => {
  pauses.length = 0;
  const policy = { tries: 3, pause, mayPass: (error: unknown) => error instanceof RangeError };
  await expect(retry(failing(new RangeError('one'), new Error('two')), policy)).rejects.toThrow('two');
  expect(pauses).toEqual([1]);
});

it('looks until there is an answer', async () => {
  pauses.length = 0;
  const answers = [null, null, 'found'];
  await expect(
    poll(() => Promise.resolve(answers.shift() ?? null), { pause: () => pause(0), isOver: () => false }),
  ).resolves.toBe('found');
  expect(pauses).toEqual([0, 0]);
});

it('gives up when the time is over, after a last look', async () => {
  pauses.length = 0;
  const answers = [null, null, 'found'];
  const isOver = () => answers.length === 1;
  await expect(poll(() => Promise.resolve(answers.shift() ?? null), { pause: () => pause(0), isOver })).resolves.toBeNull();
  expect(pauses).toEqual([0]);
});
