import { expect, it } from 'vitest';

import { findPrimary } from '../../src/adapters/postgres/servers.ts';

const [DEAD, STANDBY] = ['postgresql://dead/tenon', 'postgresql://standby/tenon'];

it('a standby that is promoted while the old primary is silent is found without waiting for that one', async () => {
  const answers = [null, null, 2];
  const timelineAt = (url: string): Promise<number | null> =>
    url === DEAD ? new Promise(() => undefined) : Promise.resolve(answers.shift() ?? null);
  expect(await findPrimary([DEAD, STANDBY], timelineAt)).toEqual({ url: STANDBY, timeline: 2 });
});

it('of two servers that take writes it is the one that was promoted last, also where that one answers later', async () => {
  const later = new Promise<number>((resolve) => setImmediate(() => resolve(2)));
  const timelineAt = (url: string) => (url === DEAD ? later : Promise.resolve(1));
  expect(await findPrimary([STANDBY, DEAD], timelineAt)).toEqual({ url: DEAD, timeline: 2 });
});

it('where each server answers and none takes writes, nobody is asked again', async () => {
  let asked = 0;
  const timelineAt = () => {
    asked += 1;
    return Promise.resolve(null);
  };
  await expect(findPrimary([DEAD, STANDBY], timelineAt)).rejects.toThrow(/^No server takes writes: dead:5432 .*; standby:5432 /);
  expect(asked).toBe(2);
});
