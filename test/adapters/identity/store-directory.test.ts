import { expect, it } from 'vitest';

import { StoreDirectory } from '../../../src/adapters/prisma/identity/store-directory.ts';
import type { Sql } from '../../../src/adapters/prisma/connection/sql.ts';

/** A directory of these stores, the look-ups of domains that it does, and what `look` finds where the store still has the domain. */
const aDirectory = (stores: Record<string, string>, capacity?: number) => {
  const asked: string[] = [];
  const rows = async (_statement: unknown, { domain }: { domain: string }) => {
    asked.push(domain);
    return domain in stores ? [{ id: stores[domain] }] : [];
  };
  const directory = new StoreDirectory({ rows, execute: rows } as unknown as Sql, capacity);
  const looked: string[] = [];
  const find = (domain: string) =>
    directory.find(domain, async (storeId) => {
      looked.push(storeId);
      return stores[domain] === storeId ? `of ${storeId}` : null;
    });
  return { directory, asked, looked, find };
};

it('a domain is looked up once', async () => {
  const { asked, looked, find } = aDirectory({ 'a.test': 'A' });
  expect([await find('a.test'), await find('a.test')]).toEqual(['of A', 'of A']);
  expect([asked, looked]).toEqual([['a.test'], ['A', 'A']]);
});

it('a domain that another store has now is looked up again, and then remembered', async () => {
  const stores: Record<string, string> = { 'a.test': 'A' };
  const { asked, looked, find } = aDirectory(stores);
  await find('a.test');
  stores['a.test'] = 'B';
  expect([await find('a.test'), await find('a.test')]).toEqual(['of B', 'of B']);
  expect([asked, looked]).toEqual([
    ['a.test', 'a.test'],
    ['A', 'A', 'B', 'B'],
  ]);
});

it('a credential that the store does not have is looked for once', async () => {
  const { asked, directory } = aDirectory({ 'a.test': 'A' });
  const looked: string[] = [];
  const find = () =>
    directory.find('a.test', async (storeId) => {
      looked.push(storeId);
      return null;
    });
  expect([await find(), await find()]).toEqual([null, null]);
  expect([asked, looked]).toEqual([
    ['a.test', 'a.test'],
    ['A', 'A'],
  ]);
});

it('a domain that no store has is not remembered, nor one that a store had before', async () => {
  const stores: Record<string, string> = {};
  const { asked, looked, find } = aDirectory(stores);
  expect([await find('a.test'), await find('a.test')]).toEqual([null, null]);
  stores['a.test'] = 'A';
  expect(await find('a.test')).toBe('of A');
  delete stores['a.test'];
  expect([await find('a.test'), await find('a.test')]).toEqual([null, null]);
  expect(asked).toEqual(Array(5).fill('a.test'));
  expect(looked).toEqual(['A', 'A']);
});

it('remembers no more domains than it may', async () => {
  const { asked, find } = aDirectory({ 'a.test': 'A', 'b.test': 'B', 'c.test': 'C' }, 2);
  for (const domain of ['a.test', 'b.test', 'c.test', 'b.test', 'a.test']) await find(domain);
  expect(asked).toEqual(['a.test', 'b.test', 'c.test', 'a.test']);
});
