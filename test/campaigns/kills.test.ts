import { expect, it } from 'vitest';

import { nothingInjected } from './faults/injected.ts';
import { shortRounds } from './faults/short-rounds.ts';

const { aRound } = shortRounds();

const STEPS: readonly (readonly [string, readonly string[]])[] = [
  [
    'the idempotency protocol',
    [
      'key.claim:before',
      'key.claim:after',
      'key.lock:after',
      'outbox.append:after',
      'key.remember:after',
      'commit of write:after',
    ],
  ],
  [
    'an import of images',
    [
      ...['imports.create:after', 'imports.begin:after', 'source.fetch:after', 'imports.postpone:after', 'file.announce:after'],
      ...['storage.put:after', 'file.keep:after', 'catalogue.addMedia:after', 'imports.settle:after', 'commit of item:after'],
      'source.release:before',
    ],
  ],
];

it.each(STEPS)(
  'after kill -9 at each step of %s, a restart and a retry, no promise is broken',
  async (_what, points) => {
    const injected = nothingInjected();
    const { violations, keys } = await aRound({ injected, kinds: points.map((point) => `kill-at-point=${point}`) });
    expect(violations).toEqual([]);
    expect(keys).toBeGreaterThan(0);
    expect([...injected.points.keys()].sort()).toEqual([...points].sort());
  },
  600_000,
);
