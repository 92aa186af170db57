import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';

import { readAhead } from '../../../src/application/catalogue/import-products.ts';

const source = async function* (count = Infinity): AsyncGenerator<number, void> {
  for (let n = 1; n <= count; n += 1) yield await Promise.resolve(n);
};
const never = async function* (): AsyncGenerator<number, void> {
  await new Promise(() => undefined);
  yield 0;
};

describe('reading ahead until a stop', () => {
  let stopping: AbortController;
  let stops: number;
  const options = () => ({ stopping: stopping.signal, onStopped: () => void (stops += 1) });
  beforeEach(() => {
    stopping = new AbortController();
    stops = 0;
  });

  it('ends once, though the next item is read already', async () => {
    const ahead = readAhead(source(), options());
    const first = await ahead.next();
    if (first.done === true) return expect.fail('no item');
    first.value.readNext();
    await turn();
    stopping.abort();
    expect(await ahead.next()).toEqual({ done: true, value: undefined });
    expect(stops).toBe(1);
  });
  it('ends while the source still waits', async () => {
    const next = readAhead(never(), options()).next();
    await turn();
    stopping.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(stops).toBe(1);
  });
  it('ends also when nobody asked to hear of it', async () => {
    stopping.abort();
    expect(await readAhead(never(), { stopping: stopping.signal }).next()).toEqual({ done: true, value: undefined });
  });
  it('leaves nothing that listens, and does not stop a source that ends by itself', async () => {
    const found: number[] = [];
    for await (const { value } of readAhead(source(3), options())) found.push(value);
    expect([found, stops]).toEqual([[1, 2, 3], 0]);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });
});
