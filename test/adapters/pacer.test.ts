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

  it('passes on the first call immediately, separately for each key', () => {
    ask('a');
    ask('b');
    expect(ran).toEqual(['a', 'b']);
  });
  it('combines the calls that arrive within 10 ms into one', () => {
    for (let n = 0; n < 5; n += 1) ask('a');
    vi.advanceTimersByTime(9);
    expect(ran).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['a', 'a']);
    vi.advanceTimersByTime(1000);
    expect(ran).toEqual(['a', 'a']);
  });
  it('runs the task every 10 ms when it is called every millisecond', () => {
    for (let n = 0; n < 1000; n += 1) {
      ask('a');
      vi.advanceTimersByTime(1);
    }
    expect(ran).toHaveLength(101);
  });
  it('passes on immediately again after a rest, and forgets the key', () => {
    ask('a');
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(0);
    ask('a');
    expect(ran).toEqual(['a', 'a']);
  });
  it('`close` drops waiting calls and passes on nothing more', () => {
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
