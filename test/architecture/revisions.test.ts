import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

import { PRODUCT_LISTS } from '../../src/adapters/prisma/catalogue/product-tables.ts';
import type { ProductTable } from '../../src/adapters/prisma/catalogue/tables-of.ts';
import { ERASURE_STEPS } from '../../src/adapters/prisma/erasure/store-erasure.ts';
import { statements } from '../../src/adapters/prisma/connection/statement.ts';
import { root, sourceFiles, textOf } from './source.ts';

/** The tables whose rows have a revision, which a kept document is judged by. */
const REVISED = ['products', 'categories', 'tax_classes', 'collections'];

const tablesOf = (lists: ProductTable['lists']): string[] =>
  Object.values(lists).flatMap(({ table, lists: below }) => [table, ...tablesOf(below)]);

/** The tables whose rows are shown below a revised row, and have no revision of their own. */
const BELOW = [...tablesOf(PRODUCT_LISTS), 'collection_products'];

/** The places where a text changes rows of these tables: `UPDATE products`, or `INSERT INTO media`. */
const writesOf = (text: string, tables: readonly string[]): string[] =>
  [...text.matchAll(/\b(UPDATE|INSERT INTO|DELETE FROM)\s+(\w+)/g)]
    .filter(([, , table]) => tables.includes(table ?? ''))
    .map(([, verb, table]) => `${verb} ${table}`);

/** A row that is replaced gets the revision of the row that comes. */
const keepsRevision = (text: string): boolean =>
  /\bDO UPDATE\b/.test(text) && writesOf(text, REVISED).length > 0 && !text.includes('revision = excluded.revision');

/** Citus refuses what is drawn by chance. */
const drawsRevision = (text: string): boolean => text.includes('gen_random_uuid()');

const updatesRevised = (text: string): boolean => writesOf(text, REVISED).some((write) => write.startsWith('UPDATE'));

beforeAll(async () => {
  for (const file of sourceFiles('src/adapters/prisma')) await import(pathToFileURL(join(root, file)).href);
});

/** Without those that erase a store, whose content nobody can read by then. */
const kept = () => statements().filter((statement) => !ERASURE_STEPS.some(({ text }) => text === statement.text));

it('a row that is updated gets a new revision by a trigger', () => {
  const migration = textOf('prisma/migrations/20261123080000_revisions/migration.sql');
  expect(migration).toContain(`FOREACH revised IN ARRAY ARRAY[${REVISED.map((table) => `'${table}'`).join(', ')}]`);
  expect(migration).toContain(
    'CREATE TRIGGER "draw_revision" BEFORE UPDATE ON %I FOR EACH ROW WHEN (OLD.revision = NEW.revision)',
  );
});

it('each statement that replaces a product, a category, a tax class or a collection gives it a new revision', () => {
  const written = kept().filter(({ text }) => writesOf(text, REVISED).length > 0);
  expect(written.length).toBeGreaterThan(6);
  expect(written.filter(({ text }) => keepsRevision(text) || drawsRevision(text)).map(({ text }) => text)).toEqual([]);
  expect(keepsRevision("INSERT INTO categories (name) VALUES ('x') ON CONFLICT (id) DO UPDATE SET name = 'x'")).toBe(true);
});

// The save of a product or a collection, new media and new stock write the row itself by another statement of the same transaction.
it('what belongs to a product or a collection is written with it, and by nothing else', () => {
  const alone = kept()
    .filter(({ text }) => !updatesRevised(text))
    .flatMap(({ text }) => writesOf(text, BELOW));
  const saved = tablesOf(PRODUCT_LISTS).map((table) => `INSERT INTO ${table}`);
  const emptied = Object.values(PRODUCT_LISTS).map(({ table }) => `DELETE FROM ${table}`);
  expect(alone.sort()).toEqual(
    [
      ...saved,
      ...emptied,
      'INSERT INTO media',
      'INSERT INTO inventory',
      'INSERT INTO collection_products',
      'DELETE FROM collection_products',
    ].sort(),
  );
});
