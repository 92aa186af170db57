import { describe, expect, it } from 'vitest';

import { readingPages, type Item, type PageSource } from '../../../src/adapters/prisma/reading/pages.ts';
import { ReadCache } from '../../../src/adapters/prisma/reading/read-cache.ts';
import type { JsonDocument } from '../../../src/domain/reading.ts';
import { latch } from '../../support/latch.ts';

const PAGE = { skip: 0, take: 50 };
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const contentOf = ({ bytes }: JsonDocument) =>
  JSON.parse(Buffer.from(bytes ?? []).toString()) as { items: object[]; total: number };

/** A table of products with their versions, and what was asked of it. */
const table = () => {
  const versions = new Map([1, 2, 3].map((n) => [idOf(n), 'v1']));
  const rendered: string[][] = [];
  let snapshots = 0;
  const read: Pick<PageSource, 'page' | 'items'> = {
    page: () =>
      Promise.resolve({
        total: String(versions.size),
        entries: [...versions].map(([id, version]) => id + version).join(',') || null,
      }),
    items: (ids) => {
      rendered.push([...ids]);
      return Promise.resolve(
        ids.flatMap((id): Item[] => {
          const version = versions.get(id);
          return version === undefined ? [] : [{ id, version, text: JSON.stringify({ id, version }) }];
        }),
      );
    },
  };
  const source: PageSource = {
    ...read,
    snapshot: (work) => {
      snapshots += 1;
      return work(read);
    },
  };
  return { versions, rendered, source, snapshots: () => snapshots };
};

const itemsOf = (versions: ReadonlyMap<string, string>) => [...versions].map(([id, version]) => ({ id, version }));

describe('readingPages', () => {
  it('renders the items that are not kept in their version, and no others', async () => {
    const { versions, rendered, source } = table();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const first = await read('store', PAGE, source);
    expect(contentOf(first)).toEqual({ items: itemsOf(versions), ...PAGE, total: 3 });
    expect(await read('store', PAGE, source)).toEqual(first);
    versions.set(idOf(2), 'v2');
    const second = await read('store', PAGE, source);
    expect(contentOf(second).items).toEqual(itemsOf(versions));
    expect(second.tag).not.toBe(first.tag);
    expect(rendered).toEqual([[1, 2, 3].map(idOf), [idOf(2)]]);
  });

  it('renders and tags apart for two stores with the same products in the same versions, also at once', async () => {
    const gate = latch();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const reading = ['one', 'other'].map((store) => {
      const { source } = table();
      const items: PageSource['items'] = async (ids) => {
        await gate.opened;
        return (await source.items(ids)).map((item) => ({ ...item, text: `"of ${store}"` }));
      };
      return read(store, PAGE, { ...source, items });
    });
    gate.open();
    const [one, other] = await Promise.all(reading);
    expect([one, other].map((found) => contentOf(found!).items)).toEqual([Array(3).fill('of one'), Array(3).fill('of other')]);
    expect(one?.tag).not.toBe(other?.tag);
  });

  it('keeps the items of two stores apart', async () => {
    const { rendered, source } = table();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    await read('one', PAGE, source);
    await read('other', PAGE, source);
    expect(rendered).toHaveLength(2);
  });

  it('sends the bytes of the first page again while nothing of it changes, and makes those of other pages each time', async () => {
    const { versions, source } = table();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const bytesAt = async (skip: number) => (await read('store', { skip, take: 50 }, source)).bytes;
    const first = await bytesAt(0);
    expect(await bytesAt(0)).toBe(first);
    expect(await bytesAt(1)).not.toBe(await bytesAt(1));
    versions.set(idOf(4), 'v1');
    expect(await bytesAt(0)).not.toBe(first);
  });

  it('keeps the first pages of two stores apart, and those with other fields', async () => {
    const { source } = table();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const asked = [
      ['one', PAGE],
      ['other', PAGE],
      ['one', { ...PAGE, fields: ['id'] }],
    ] as const;
    const pages = async () => Promise.all(asked.map(async ([store, page]) => (await read(store, page, source)).bytes));
    const [before, again] = [await pages(), await pages()];
    expect(new Set(before).size).toBe(3);
    for (const [at, bytes] of again.entries()) expect(bytes).toBe(before[at]);
  });

  it('renders nothing for a reader who has the page, and has another tag for another page', async () => {
    const { rendered, source } = table();
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const { tag } = await read('store', PAGE, source);
    expect(await read('store', PAGE, source, { has: (other) => other === tag })).toEqual({ tag, bytes: null });
    expect(rendered).toHaveLength(1);
    expect((await read('store', { skip: 1, take: 50 }, source)).tag).not.toBe(tag);
  });

  it('reads an empty page', async () => {
    const { versions, source } = table();
    versions.clear();
    const empty = await readingPages(new ReadCache(1), 'items', 'rendering')('store', PAGE, source);
    expect(contentOf(empty)).toEqual({ items: [], ...PAGE, total: 0 });
  });

  it('reads the page again in one snapshot where a product was changed or deleted between the two statements', async () => {
    for (const change of [
      (versions: Map<string, string>) => versions.set(idOf(3), 'v2'),
      (versions: Map<string, string>) => versions.delete(idOf(3)),
    ]) {
      const { versions, source, snapshots } = table();
      const between: PageSource = {
        ...source,
        items: (ids) => {
          change(versions);
          return source.items(ids);
        },
      };
      const found = await readingPages(new ReadCache(1), 'items', 'rendering')('store', PAGE, between);
      expect(contentOf(found)).toEqual({ items: itemsOf(versions), ...PAGE, total: versions.size });
      expect(snapshots()).toBe(1);
    }
  });

  it.each([48, 0])('renders once for a stampede, with a cache of %i MB', async (megabytes) => {
    const { versions, rendered, source } = table();
    const gate = latch();
    const slow: PageSource = { ...source, items: (ids) => gate.opened.then(() => source.items(ids)) };
    const read = readingPages(new ReadCache(megabytes), 'items', 'rendering');
    const readers = Array.from({ length: 20 }, () => read('store', PAGE, slow));
    gate.open();
    for (const found of await Promise.all(readers)) expect(contentOf(found).items).toEqual(itemsOf(versions));
    expect(rendered).toHaveLength(1);
  });

  it('reads by itself where the rendering that it waited for failed', async () => {
    const { versions, source } = table();
    const gate = latch();
    let times = 0;
    const failing: PageSource = {
      ...source,
      items: async (ids) => {
        await gate.opened;
        times += 1;
        if (times === 1) throw new Error('PostgreSQL is gone');
        return source.items(ids);
      },
    };
    const read = readingPages(new ReadCache(1), 'items', 'rendering');
    const [first, second] = [read('store', PAGE, failing), read('store', PAGE, failing)];
    const refused = expect(first).rejects.toThrow('PostgreSQL is gone');
    gate.open();
    await refused;
    expect(contentOf(await second).items).toEqual(itemsOf(versions));
  });
});
