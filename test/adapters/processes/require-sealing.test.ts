import { expect, it } from 'vitest';

import { requireSealing } from '../../../src/adapters/wiring/keys/require-sealing.ts';
import { LIVE_SECONDS, type SeenProcess } from '../../../src/domain/insight/processes.ts';

const seen = (keys: readonly string[], sealing: string, secondsUnseen = 2): SeenProcess => ({
  id: 'a',
  name: `host:${keys.join('+')}`,
  role: 'api',
  version: '1',
  keys,
  sealing,
  tasks: [],
  secondsOld: 100,
  secondsUnseen,
  ended: false,
});
/** Each look finds the next list; the last one stays. */
const looks = (...lists: readonly (readonly SeenProcess[])[]) => {
  let looked = 0;
  return { list: async () => ({ seen: lists[Math.min(looked++, lists.length - 1)] ?? [], older: false }), looked: () => looked };
};
const pause = () => Promise.resolve();

it('waits until each live process seals with the key', async () => {
  const processes = looks([seen(['k2', 'k1'], 'k1'), seen(['k1'], 'k1', LIVE_SECONDS)], [seen(['k2', 'k1'], 'k2')]);
  await requireSealing(processes, 'k2', pause);
  expect(processes.looked()).toBe(2);
  await requireSealing(looks([]), 'k2', pause);
});

it('names the live processes that do not have the key first', async () => {
  const list = [seen(['k1', 'k2'], 'k1'), seen(['k1'], 'k1'), seen(['k2', 'k1'], 'k1')];
  await expect(requireSealing(looks(list), 'k2', pause)).rejects.toThrow(
    '2 processes that run do not have k2 first in SECRET_KEYS: host:k1+k2 (api, seen 2 s ago), host:k1 (api, seen 2 s ago). Nothing was changed.',
  );
});

it('gives up where one continues with another key', async () => {
  await expect(requireSealing(looks([seen(['k2', 'k1'], 'k1')]), 'k2', pause)).rejects.toThrow(
    'These processes still seal with another key: host:k2+k1 (api, seen 2 s ago). Nothing was changed.',
  );
});
