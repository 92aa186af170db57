import { describe, expect, it, vi } from 'vitest';

import { countCalls, type Call } from '../../../src/application/insight/count-calls.ts';
import type { CallCounts } from '../../../src/domain/ports/insight/figures.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const MINUTE = Date.UTC(2026, 10, 26, 9, 41);

const open = () => {
  const { figures } = openMemoryPorts();
  const addCalls = vi.fn<(calls: readonly CallCounts[]) => Promise<void>>().mockResolvedValue();
  const lost = vi.fn();
  return { counter: countCalls({ figures: { ...figures, addCalls } }, lost), addCalls, lost };
};

const call = (more: Partial<Call> = {}): Call => ({
  storeId: 's',
  installationId: 'a',
  at: MINUTE + 12_345,
  status: 200,
  durationMs: 3,
  ...more,
});

describe('countCalls', () => {
  it('counts the answers of each app and minute by class, and their durations, and begins again after a flush', async () => {
    const { counter, addCalls, lost } = open();
    for (const status of [200, 201, 304, 429, 503, null]) counter.add(call({ status }));
    counter.add(call({ durationMs: 60_000 }));
    counter.add(call({ durationMs: null }));
    counter.add(call({ installationId: 'b' }));
    counter.add(call({ at: MINUTE + 60_000 }));
    await counter.flush();
    await counter.flush();
    const one = { answers: [1, 0, 0, 0, 0], latency: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
    expect(addCalls.mock.calls).toEqual([
      [
        [
          {
            ...{ storeId: 's', installationId: 'a', at: MINUTE },
            answers: [4, 1, 1, 1, 1],
            latency: [6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
          },
          { storeId: 's', installationId: 'b', at: MINUTE, ...one },
          { storeId: 's', installationId: 'a', at: MINUTE + 60_000, ...one },
        ],
      ],
    ]);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is bounded: more apps than a batch takes are lost, and counted as such', async () => {
    const { counter, addCalls, lost } = open();
    for (let n = 0; n < 10_002; n += 1) counter.add(call({ installationId: String(n) }));
    counter.add(call({ installationId: '0' }));
    await counter.flush();
    expect(addCalls.mock.calls[0]?.[0]).toHaveLength(10_000);
    expect(lost.mock.calls).toEqual([[1], [1]]);
  });

  it('counts the stores behind one that fails, and reports the calls of that one as lost', async () => {
    const { counter, addCalls, lost } = open();
    addCalls.mockRejectedValueOnce(new Error('locked'));
    for (const storeId of ['locked', 'locked', 'b', 'c']) counter.add(call({ storeId, installationId: storeId }));
    await expect(counter.flush()).rejects.toThrow('locked');
    expect(addCalls.mock.calls.map(([calls]) => calls.map(({ storeId }) => storeId))).toEqual([['locked'], ['b'], ['c']]);
    expect(lost).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('does not wait for a database that is away once for each store', async () => {
    const { counter, addCalls, lost } = open();
    addCalls.mockRejectedValue(new Error('away'));
    for (const storeId of ['a', 'b', 'c', 'd', 'e']) counter.add(call({ storeId, installationId: storeId }));
    await expect(counter.flush()).rejects.toThrow('away');
    expect(addCalls).toHaveBeenCalledTimes(3);
    expect(lost.mock.calls).toEqual([[1], [1], [1], [1], [1]]);
  });

  it('does not send a batch again that failed, because it may have been counted', async () => {
    const { counter, addCalls, lost } = open();
    addCalls.mockRejectedValueOnce(new Error('away'));
    for (const status of [200, 404, null]) counter.add(call({ status }));
    await expect(counter.flush()).rejects.toThrow('away');
    await counter.flush();
    expect(addCalls).toHaveBeenCalledOnce();
    expect(lost).toHaveBeenCalledExactlyOnceWith(3);
  });
});
