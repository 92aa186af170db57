import { basename } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

import { freshStatements } from './named-statements.ts';
import { sourceFiles, textOf } from './source.ts';

/** True for SQL that takes a lock or a lease, or gives one back. */
const locks = (sql: string): boolean =>
  /\bFOR (?:UPDATE|NO KEY UPDATE|SHARE|KEY SHARE)\b|\bpg_(?:try_)?advisory_|\bLOCK TABLE\b/.test(sql);

const page = textOf('docs/locks.md');
const named = new Set([...page.matchAll(/`([a-z-]+:[A-Z]\w*(?:\.\w+)*)`/g)].map(([, name = '']) => name));
let locking: Set<string>;
beforeAll(async () => {
  const all = await freshStatements();
  locking = new Set(
    all.filter(({ statement }) => locks(statement.text)).map(({ file, name }) => `${basename(file, '.ts')}:${name}`),
  );
});

it('docs/locks.md names each statement that locks', () => {
  expect([...locking].filter((name) => !named.has(name))).toEqual([]);
});

it('docs/locks.md names no other statement', () => {
  expect([...named].filter((name) => !locking.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(0);
});

it('docs/locks.md names each file that locks without a declared statement', () => {
  const files = sourceFiles('src').filter((file) => /\bLOCK TABLE\b(?! first)|\block_shard_metadata\b/.test(textOf(file)));
  expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
});

it.each([
  ['SELECT FROM stores WHERE id = $1 FOR NO KEY UPDATE', true],
  ['SELECT pg_try_advisory_xact_lock_shared(1)', true],
  ["UPDATE stores SET status = 'Active' WHERE id = $1", false],
])('a lock is seen: %s', (sql, seen) => {
  expect(locks(sql)).toBe(seen);
});
