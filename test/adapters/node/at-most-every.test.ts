import { describe, expect, it } from 'vitest';

import { atMostEvery } from '../../../src/adapters/node/at-most-every.ts';

describe('atMostEvery', () => {
  let now = 0;
  let reads = 0;
  const numbered = () =>
    atMostEvery(
      1_000,
      async () => {
        reads += 1;
        return reads;
      },
      () => now,
    );

  it('shares one read among all callers of its time, and then reads again', async () => {
    [now, reads] = [0, 0];
    const read = numbered();
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    now = 999;
    expect(await read()).toBe(1);
    now = 1_000;
    expect(await read()).toBe(2);
  });
  it('shares a read that takes longer until its end', async () => {
    let end: (value: string) => void = () => undefined;
    now = 0;
    const read = atMostEvery(
      1_000,
      () => new Promise<string>((resolve) => (end = resolve)),
      () => now,
    );
    const first = read();
    now = 5_000;
    const second = read();
    end('slow');
    expect(await Promise.all([first, second])).toEqual(['slow', 'slow']);
  });
  it('does not keep a failure', async () => {
    now = 0;
    let fails = true;
    const read = atMostEvery(
      1_000,
      () => (fails ? Promise.reject(new Error('away')) : Promise.resolve('back')),
      () => now,
    );
    await expect(read()).rejects.toThrow('away');
    fails = false;
    expect(await read()).toBe('back');
  });
});
