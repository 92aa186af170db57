import { describe, expect, it } from 'vitest';

import { readingDocuments, type Rendering } from '../../../src/adapters/prisma/reading/documents.ts';
import { ReadCache } from '../../../src/adapters/prisma/reading/read-cache.ts';
import type { JsonDocument } from '../../../src/domain/reading.ts';
import { storeKey } from '../../../src/domain/store-key.ts';

const [A, B, C] = [storeKey('a'), storeKey('b'), storeKey('c')];

const textOf = (document: JsonDocument | null): string | null => document && Buffer.from(document.bytes ?? []).toString();

/** Renderings that the test ends one by one. */
const renderings = () => {
  const open: ((rendering: Rendering | null | Error) => void)[] = [];
  const render = () =>
    new Promise<Rendering | null>((resolve, reject) => {
      open.push((rendering) => {
        if (rendering instanceof Error) reject(rendering);
        else resolve(rendering);
      });
    });
  return { open, render };
};

const rendered = (version: string): Rendering => ({ version, text: `"${version}"` });
const reader = (megabytes = 1) => readingDocuments(new ReadCache(megabytes), 'products', 'rendering');
/** Lets what waits for a settled promise run. */
const turn = () => new Promise(setImmediate);

describe('readingDocuments', () => {
  it('renders a version once, and then gives the same bytes and the same tag', async () => {
    const read = reader();
    let times = 0;
    const render = () => Promise.resolve(rendered(`v${(times += 1)}`));
    const first = await read(A, { version: 'v1' }, render);
    expect(await read(A, { version: 'v1' }, render)).toEqual(first);
    expect(times).toBe(1);
    const second = await read(A, { version: 'v2' }, render);
    expect([textOf(first), textOf(second)]).toEqual(['"v1"', '"v2"']);
    expect(second?.tag).not.toBe(first?.tag);
  });

  it('renders without a look-up, and keeps it for those with one', async () => {
    const read = reader();
    expect(textOf(await read(A, undefined, () => Promise.resolve(rendered('v1'))))).toBe('"v1"');
    expect(textOf(await read(A, { version: 'v1' }, () => expect.fail('rendered again')))).toBe('"v1"');
  });

  it('renders nothing where there is nothing, and where the reader has the version, kept or not', async () => {
    const read = reader();
    const fail = () => expect.fail('rendered');
    expect(await read(A, { version: null }, fail)).toBeNull();
    const tag = (await read(B, { version: 'v1' }, () => Promise.resolve(rendered('v1'))))?.tag ?? '';
    const has = (other: string) => other === tag;
    expect(await read(B, { version: 'v1', has }, fail)).toEqual({ tag, bytes: null });
    expect(await reader()(B, { version: 'v1', has }, fail)).toEqual({ tag, bytes: null });
    expect(await read(C, { version: 'v1' }, () => Promise.resolve(null))).toBeNull();
  });

  it.each([48, 0])('renders once for a stampede, with a cache of %i MB', async (megabytes) => {
    const read = reader(megabytes);
    const { open, render } = renderings();
    const readers = Array.from({ length: 20 }, () => read(A, { version: 'v1' }, render));
    await turn();
    expect(open).toHaveLength(1);
    open[0]?.(rendered('v1'));
    expect((await Promise.all(readers)).map(textOf)).toEqual(readers.map(() => '"v1"'));
    expect(open).toHaveLength(1);
  });

  it('does not take a rendering that began before its look-up and is older', async () => {
    const read = reader();
    const { open, render } = renderings();
    const early = read(A, { version: 'v1' }, render);
    const late = [read(A, { version: 'v2' }, render), read(A, { version: 'v2' }, render)];
    await turn();
    open[0]?.(rendered('v1'));
    expect(textOf(await early)).toBe('"v1"');
    await turn();
    expect(open).toHaveLength(2);
    // A read that began after the look-up is right, also in another version: the product was changed again.
    open[1]?.(rendered('v3'));
    expect((await Promise.all(late)).map(textOf)).toEqual(['"v3"', '"v3"']);
  });

  it('renders by itself where the rendering that it waited for failed', async () => {
    const read = reader();
    const { open, render } = renderings();
    const first = read(A, { version: 'v1' }, render);
    const second = read(A, { version: 'v1' }, render);
    await turn();
    open[0]?.(new Error('PostgreSQL is gone'));
    await expect(first).rejects.toThrow('PostgreSQL is gone');
    await turn();
    open[1]?.(rendered('v1'));
    expect(textOf(await second)).toBe('"v1"');
  });

  it('gives another tag to the same version that is rendered in another way', async () => {
    const tags = ['one', 'other'].map(async (rendering) => {
      const read = readingDocuments(new ReadCache(1), 'products', rendering);
      return (await read(A, { version: 'v1' }, () => Promise.resolve(rendered('v1'))))?.tag;
    });
    expect(new Set(await Promise.all(tags)).size).toBe(2);
  });
});
