import { expect, it } from 'vitest';

import { LookUpPlaces, type PlacesOptions } from '../../../src/adapters/node/names/look-up-places.ts';

const MINUTE = 60_000;

/** Look-ups that end when the test says so. */
const open = (options: Partial<PlacesOptions> = {}) => {
  const places = new LookUpPlaces({ share: 2, all: 3, maxWaitMilliseconds: MINUTE, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (askedBy: string, name: string): Promise<string> =>
    places.run(askedBy, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  /** Ends it, and lets the next begin. */
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { places, begun, run, end };
};

it('an asker has its share at once, in the order of its names, and others do not wait for it', async () => {
  const { places, begun, run, end } = open();
  const all = [1, 2, 3, 4].map((n) => run('one', `one-${n}`));
  const other = run('other', 'other-1');
  expect(begun).toEqual(['one-1', 'one-2', 'other-1']);
  expect([places.open, places.waiting]).toEqual([3, 2]);
  await end('one-2');
  expect(begun.slice(3)).toEqual(['one-3']);
  for (const name of ['one-1', 'one-3', 'one-4', 'other-1']) await end(name);
  expect(await Promise.all([...all, other])).toEqual(['one-1', 'one-2', 'one-3', 'one-4', 'other-1']);
  expect([places.open, places.waiting]).toEqual([0, 0]);
});

it('those who wait for one of all places take turns', async () => {
  const { begun, run, end } = open({ all: 2 });
  const flood = [1, 2, 3, 4].map((n) => run('flood', `flood-${n}`));
  const late = run('late', 'late-1');
  await end('flood-1');
  await end('flood-2');
  expect(begun).toEqual(['flood-1', 'flood-2', 'flood-3', 'late-1']);
  for (const name of ['flood-3', 'late-1', 'flood-4']) await end(name);
  await Promise.all([...flood, late]);
});

it('who waits for too long gets no place, and takes none', async () => {
  const { places, begun, run, end } = open({ maxWaitMilliseconds: 10 });
  const first = [run('one', 'one-1'), run('one', 'one-2')];
  expect(await run('one', 'one-3')).toBe('busy');
  for (const name of ['one-1', 'one-2']) await end(name);
  await Promise.all(first);
  expect(begun).toEqual(['one-1', 'one-2']);
  const again = run('one', 'one-4');
  expect(begun).toHaveLength(3);
  await end('one-4');
  expect(await again).toBe('one-4');
  expect([places.open, places.waiting]).toEqual([0, 0]);
});

it('a look-up that fails gives its place back', async () => {
  const { places } = open({ share: 1 });
  await expect(places.run('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await places.run('one', () => Promise.resolve('done'))).toBe('done');
});

it('after the close nobody waits', async () => {
  const { places, run, end } = open({ share: 1 });
  const first = run('one', 'one-1');
  const waiting = run('one', 'one-2');
  places.close();
  expect(await waiting).toBe('busy');
  await end('one-1');
  expect(await first).toBe('one-1');
});
