import { expect, it } from 'vitest';

import { channelPair } from '../../support/channel-pair.ts';

interface Asked {
  readonly double: { readonly question: number; readonly answer: number };
  readonly fail: { readonly question: null; readonly answer: number };
}

const open = (patienceMs?: number) =>
  channelPair<Asked>(
    { double: (value) => Promise.resolve(2 * value), fail: () => Promise.reject(new Error('planted')) },
    patienceMs,
  );

it('what is asked and told in one turn leaves in one message, and so do the answers', async () => {
  const { asking, frames, heard } = open();
  asking.tell('news');
  expect(await Promise.all([1, 2, 3].map((value) => asking.ask('double', value)))).toEqual([2, 4, 6]);
  expect(heard).toEqual(['news']);
  expect(frames).toHaveLength(2);
});

it('an answer that cannot be given is reported, and the question gets none; the others of its message get theirs', async () => {
  const { asking, errors } = open();
  expect(await Promise.all([asking.ask('fail', null), asking.ask('double', 4)])).toEqual([undefined, 8]);
  expect(errors).toEqual([new Error('planted')]);
});

it('a question without an answer in time gets none, and those that are open at the end as well', async () => {
  const impatient = open(1);
  impatient.cut();
  expect(await impatient.asking.ask('double', 1)).toBeUndefined();
  const ended = open();
  ended.cut();
  const asked = ended.asking.ask('double', 1);
  await expect.poll(() => ended.frames.length).toBe(1);
  ended.asking.end();
  expect(await asked).toBeUndefined();
});
