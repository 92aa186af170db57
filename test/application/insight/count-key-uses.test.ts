import { describe, expect, it, vi } from 'vitest';

import { countKeyUses } from '../../../src/application/insight/count-key-uses.ts';
import type { KeyUses } from '../../../src/domain/ports/idempotency/key-log.ts';

const open = () => {
  const batches: (readonly KeyUses[])[] = [];
  const lost = vi.fn();
  let failure: Error | null = null;
  const keyLog = {
    get: () => Promise.resolve(null),
    purge: () => Promise.resolve(0),
    count: (batch: readonly KeyUses[]) => {
      batches.push(batch);
      const error = failure;
      failure = null;
      return error ? Promise.reject(error) : Promise.resolve();
    },
  };
  return { counter: countKeyUses({ keyLog }, lost), batches, lost, failOnce: (error: Error) => (failure = error) };
};

describe('countKeyUses', () => {
  it('counts each use of each key, and begins again after a flush', async () => {
    const { counter, batches, lost } = open();
    const [one, two] = [
      { storeId: 's', installationId: 'a', key: 'k' },
      { storeId: 's', installationId: 'b', key: 'k' },
    ] as const;
    for (const use of ['replays', 'conflicts', 'replays', 'mismatches'] as const) counter.add(one, use);
    counter.add(two, 'conflicts');
    await counter.flush();
    counter.add(one, 'replays');
    await counter.flush();
    await counter.flush();
    expect(batches).toEqual([
      [
        { ...one, replays: 2, conflicts: 1, mismatches: 1 },
        { ...two, replays: 0, conflicts: 1, mismatches: 0 },
      ],
      [{ ...one, replays: 1, conflicts: 0, mismatches: 0 }],
    ]);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is bounded: more keys than a batch takes are lost, and counted as such', async () => {
    const { counter, batches, lost } = open();
    for (let n = 0; n < 10_002; n += 1) counter.add({ storeId: 's', installationId: 'a', key: String(n) }, 'replays');
    counter.add({ storeId: 's', installationId: 'a', key: '0' }, 'replays');
    await counter.flush();
    expect(batches[0]).toHaveLength(10_000);
    expect(lost.mock.calls).toEqual([[1], [1]]);
  });

  it('counts the stores behind one that fails, and reports the uses of that one as lost', async () => {
    const { counter, batches, lost, failOnce } = open();
    failOnce(new Error('locked'));
    for (const storeId of ['locked', 'locked', 'b', 'c']) counter.add({ storeId, installationId: storeId, key: 'k' }, 'replays');
    await expect(counter.flush()).rejects.toThrow('locked');
    expect(batches.map((batch) => batch.map(({ storeId }) => storeId))).toEqual([['locked'], ['b'], ['c']]);
    expect(lost).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('does not send a batch again that failed, because it may have been counted', async () => {
    const { counter, batches, lost, failOnce } = open();
    failOnce(new Error('away'));
    for (const use of ['replays', 'conflicts', 'mismatches'] as const)
      counter.add({ storeId: 's', installationId: 'a', key: 'k' }, use);
    await expect(counter.flush()).rejects.toThrow('away');
    await counter.flush();
    expect(batches).toHaveLength(1);
    expect(lost).toHaveBeenCalledExactlyOnceWith(3);
  });
});
