import { describe, expect, it } from 'vitest';

import { earlyEnds, startFault, waitBefore } from '../../../src/adapters/wiring/processes/replacement.ts';
import { Places } from '../../../src/adapters/wiring/processes/places.ts';
import { parseConfig } from '../../../src/adapters/wiring/settings/config.ts';
import { apiProcesses, connectionShare } from '../../../src/adapters/wiring/settings/derived-settings.ts';

describe('WORKERS', () => {
  const read = (WORKERS: string) => parseConfig({ WORKERS });
  it('is a number from 1 to 64, or auto', () => {
    for (const text of ['1', '2', '64', 'auto']) expect(read(text).ok).toBe(true);
    for (const text of ['0', '65', '100', '2.5', '-1', 'all']) {
      expect(read(text)).toMatchObject({ ok: false, message: 'WORKERS: must be auto or a whole number from 1 to 64' });
    }
  });
  it('makes as many API processes; none with 1 or on a node without the API; one per core with auto', () => {
    const processes = (WORKERS: string, ROLE: string, cores: number) => {
      const parsed = parseConfig({ WORKERS, ROLE });
      return parsed.ok ? apiProcesses(parsed.value, cores) : NaN;
    };
    expect([processes('1', 'all', 8), processes('4', 'worker', 8), processes('auto', 'all', 1)]).toEqual([0, 0, 0]);
    expect([processes('4', 'all', 2), processes('3', 'api', 8), processes('auto', 'all', 8)]).toEqual([4, 3, 8]);
    expect(processes('auto', 'all', 128)).toBe(64);
  });
});

describe('a process that ended', () => {
  it('is replaced at once; after early ends in a row the waits double up to 30 seconds', () => {
    expect([1, 2, 3, 4, 8, 9, 1_000].map(waitBefore)).toEqual([0, 500, 1_000, 2_000, 30_000, 30_000, 30_000]);
    expect([earlyEnds(3, { servedMs: null }), earlyEnds(3, { servedMs: 9_999 }), earlyEnds(3, { servedMs: 10_000 })]).toEqual([
      4, 4, 0,
    ]);
  });
  it('fails the first start with its reason or its end, but not by a signal that stops all', () => {
    expect(startFault({ code: 0, signal: null, reason: 'Port 1 is taken.' })).toBe('Port 1 is taken.');
    expect(startFault({ code: null, signal: 'SIGKILL', reason: null })).toContain('(SIGKILL)');
    expect(startFault({ code: 1, signal: null, reason: null })).toContain('(status 1)');
    expect(startFault({ code: null, signal: 'SIGINT', reason: null })).toBeNull();
  });
});

it('places are counted for all owners together, and end with their owner', () => {
  const places = new Places();
  const [one, other] = [{}, {}];
  expect([places.take(one, 'a', 2), places.take(other, 'a', 2), places.take(one, 'a', 2)]).toEqual([true, true, false]);
  expect(places.take(one, 'b', 2)).toBe(true);
  places.give(one, 'a');
  places.give(one, 'a');
  expect([places.take(other, 'a', 2), places.take(other, 'a', 2)]).toEqual([true, false]);
  places.giveAll(other);
  expect(places.take(one, 'a', 1)).toBe(true);
  places.giveAll(one);
  expect(places.size).toBe(0);
});

it.each([
  [4_096, 1, 4_096],
  [4_096, 4, 1_024],
  [10, 4, 3],
  [3, 8, 1],
  [1, 64, 1],
])('of MAX_CONNECTIONS=%i, each of %i processes takes %i', (MAX_CONNECTIONS, processes, share) => {
  expect(connectionShare({ MAX_CONNECTIONS }, processes)).toBe(share);
});
