import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createPacer } from '../../src/adapters/node/pacer.ts';

describe('a pacer of 10 ms', () => {
  let ran: string[];
  let ask: ReturnType<typeof createPacer>;
  beforeEach(() => {
    vi.useFakeTimers();
    ran = [];
    ask = createPacer(10, (key) => {
      ran.push(key);
      return Promise.resolve();
    });
  });
  afterEach(() => {
    ask.close();
    vi.useRealTimers();
  });

  it('passes the first on at once, and each key by itself', () => {
    ask('a');
    ask('b');
    expect(ran).toEqual(['a', 'b']);
  });
  it('what comes meanwhile is passed on once more, 10 ms after the last', () => {
    for (let n = 0; n < 5; n += 1) ask('a');
    vi.advanceTimersByTime(9);
    expect(ran).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['a', 'a']);
    vi.advanceTimersByTime(1000);
    expect(ran).toEqual(['a', 'a']);
  });
  it('the second rests too: asked every millisecond of a second, the task runs every 10 ms', () => {
    for (let n = 0; n < 1000; n += 1) {
      ask('a');
      vi.advanceTimersByTime(1);
    }
    expect(ran).toHaveLength(101);
  });
  it('at rest again, it passes on at once, and remembers nothing of the key', () => {
    ask('a');
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(0);
    ask('a');
    expect(ran).toEqual(['a', 'a']);
  });
  it('`close` drops what waits, and nothing is passed on any more', () => {
    ask('a');
    ask('a');
    ask.close();
    expect(vi.getTimerCount()).toBe(0);
    ask('a');
    ask('b');
    vi.advanceTimersByTime(1000);
    expect(ran).toEqual(['a']);
  });
});
