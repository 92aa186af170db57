import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { filesUnlessErased } from '../../src/adapters/wiring/serve/unless-erased.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

const ERASED = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

describe('a file of a store that is erased', () => {
  let looks: ((open: readonly string[]) => void)[];
  let files: Ports['mediaStorage'];
  beforeEach(() => {
    vi.useFakeTimers();
    looks = [];
    const storage = { size: () => Promise.resolve(7) } as unknown as Ports['mediaStorage'];
    const storeErasure = {
      open: () => new Promise((resolve) => looks.push(resolve)),
    } as unknown as Ports['storeErasure'];
    files = filesUnlessErased({ mediaStorage: storage, storeErasure });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const size = (storeId = ERASED) => {
    const seen: { size?: number | null } = {};
    void files.size(`${storeId}/image.png`).then((found) => (seen.size = found));
    return seen;
  };

  it('is not found, and one look answers for a second', async () => {
    const found = [size(), size(OTHER)];
    looks[0]?.([ERASED]);
    await vi.advanceTimersByTimeAsync(0);
    expect(found).toEqual([{ size: null }, { size: 7 }]);
    await vi.advanceTimersByTimeAsync(999);
    size();
    expect(looks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    size();
    expect(looks).toHaveLength(2);
  });

  it('is served by what was known while a look is late, and only the first images wait for it', async () => {
    const first = size();
    await vi.advanceTimersByTimeAsync(249);
    expect(first).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(first).toEqual({ size: 7 });
    for (const seconds of [0, 1, 60]) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
      const next = size();
      await vi.advanceTimersByTimeAsync(0);
      expect(next).toEqual({ size: 7 });
    }
    expect(looks).toHaveLength(1);
    looks[0]?.([ERASED]);
    await vi.advanceTimersByTimeAsync(0);
    const after = size();
    looks[1]?.([ERASED]);
    await vi.advanceTimersByTimeAsync(0);
    expect(after).toEqual({ size: null });
  });
});
