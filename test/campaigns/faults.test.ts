import { describe, expect, it } from 'vitest';

import { LASTING } from './faults/kinds/index.ts';
import { nothingInjected } from './faults/injected.ts';
import { shortRounds } from './faults/short-rounds.ts';
import { redisAvailable } from '../support/redis.ts';

const { environment, aRound } = shortRounds();

const OF_PROCESSES = [
  'SIGKILL at a point',
  'SIGKILL at random',
  'SIGSTOP',
  'SIGSTOP at a point',
  'SIGTERM',
  'clock off by an hour',
];
const OF_POSTGRES = [
  'PostgreSQL backend terminated',
  'PostgreSQL stopped at once and restarted',
  'claim lost by a crash of PostgreSQL',
  'answer to COMMIT dropped',
  'connection to PostgreSQL cut',
];
const LASTING_OF_POSTGRES = ['relay silent', 'relay silent, to new connections too', 'SIGSTOP of PostgreSQL for 30 s'];
const VANISHED = 'PostgreSQL gone without a packet, its name moved';
const HUNG = 'Redis stopped for 12 s';
const OF_DISKS = ['disk full under the media directory', 'disk full where images come in'];

describe('a short fault campaign injects every kind and breaks no promise', () => {
  it('with the queue on PostgreSQL', async () => {
    const injected = nothingInjected();
    const { violations, keys, deliveries, walked } = await aRound({ injected, lasting: LASTING });
    expect(violations).toEqual([]);
    expect([...injected.kinds.keys()]).toEqual(
      expect.arrayContaining([...OF_PROCESSES, ...OF_POSTGRES, ...LASTING_OF_POSTGRES, ...OF_DISKS]),
    );
    // Where there is no network to drop packets in, the environment says that it is skipped.
    expect(injected.kinds.has(VANISHED)).toBe(environment().network !== null);
    expect([keys > 0, deliveries > 0, walked > 0]).toEqual([true, true, true]);
  }, 600_000);

  it.runIf(redisAvailable)(
    'with the queue on Redis, which breaks too',
    async () => {
      const injected = nothingInjected();
      const { violations } = await aRound({
        injected,
        queue: 'redis',
        lasting: ['hang-redis'],
        kinds: ['redis', 'kill-at-point', 'kill-at-random', 'cut'],
      });
      expect(violations).toEqual([]);
      const kinds = [...injected.kinds.keys()];
      expect(kinds).toContain(HUNG);
      expect(kinds.some((name) => name.startsWith('Redis') && name !== HUNG)).toBe(true);
    },
    300_000,
  );
});
