import { describe, expect, it } from 'vitest';

import { LIVE_SECONDS, sealingKey, workState, type SeenProcess } from '../../../src/domain/insight/processes.ts';

const knowing = (...keys: string[]) => ({ keys });

describe('the key that seals', () => {
  it('is the first that each live process knows', () => {
    expect(sealingKey(['k2', 'k1'], [])).toBe('k2');
    expect(sealingKey(['k2', 'k1'], [knowing('k2', 'k1'), knowing('k1')])).toBe('k1');
    expect(sealingKey(['k2', 'k1'], [knowing('k2', 'k1'), knowing('k1', 'k2')])).toBe('k2');
    expect(sealingKey(['k3', 'k2', 'k1'], [knowing('k2', 'k1'), knowing('k1', 'k2')])).toBe('k2');
  });

  it('is the first of the process where they have no key in common', () => {
    expect(sealingKey(['k2'], [knowing('k1')])).toBe('k2');
    expect(() => sealingKey([], [])).toThrow('A process needs a key.');
  });
});

const process = (own: Partial<SeenProcess>): SeenProcess => ({
  id: 'a',
  name: 'host:1',
  role: 'worker',
  version: '1',
  keys: ['k1'],
  sealing: 'k1',
  tasks: [],
  secondsOld: 5_000,
  secondsUnseen: 1,
  ended: false,
  ...own,
});
const of = (...seen: readonly SeenProcess[]) => workState({ seen, older: false });
const doing = (secondsAgo: number, everySeconds = 20) => [{ name: 'The sweep', everySeconds, secondsAgo }];

describe('the background work of the server', () => {
  it('has its live workers, or the seconds since the last one was seen', () => {
    const gone = process({ secondsUnseen: LIVE_SECONDS, tasks: doing(10_000) });
    const api = process({ role: 'api' });
    expect(of()).toEqual({ workers: 0, secondsWithout: null, lateTasks: [] });
    expect(of(api, process({ role: 'api', secondsOld: 7 }))).toMatchObject({ workers: 0, secondsWithout: 5_000 });
    expect(of(gone, api)).toEqual({ workers: 0, secondsWithout: LIVE_SECONDS, lateTasks: [] });
    expect(of(process({ secondsUnseen: 8, ended: true }), api)).toMatchObject({ workers: 0, secondsWithout: 8 });
    expect(of(gone, process({}), process({ role: 'all' }), api)).toMatchObject({ workers: 2, secondsWithout: null });
  });

  it('is not known to have stopped where nothing lives, or where processes of an older version are connected', () => {
    const gone = process({ secondsUnseen: LIVE_SECONDS });
    expect(of(gone)).toMatchObject({ workers: 0, secondsWithout: null });
    expect(workState({ seen: [gone, process({ role: 'api' })], older: true })).toMatchObject({
      workers: null,
      secondsWithout: null,
    });
  });

  it('is late where no live worker has succeeded for 300 seconds and five times the interval', () => {
    const late = (secondsAgo: number) => of(process({ tasks: doing(secondsAgo) })).lateTasks;
    expect(late(399)).toEqual([]);
    expect(late(400)).toEqual([{ name: 'The sweep', seconds: 401 }]);
    const other = process({ id: 'b', tasks: doing(30) });
    expect(of(process({ tasks: doing(1_000) }), other).lateTasks).toEqual([]);
    expect(of(process({ tasks: doing(1_000) }), { ...other, secondsUnseen: LIVE_SECONDS }).lateTasks).toHaveLength(1);
  });
});
