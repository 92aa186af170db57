import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

import { PRODUCT_LISTS } from '../../src/adapters/prisma/catalogue/product-tables.ts';
import type { ProductTable } from '../../src/adapters/prisma/catalogue/tables-of.ts';
import { STEPS } from '../../src/adapters/prisma/erasure/erasure-statements.ts';
import { statements } from '../../src/adapters/prisma/connection/statement.ts';
import { root, sourceFiles } from './source.ts';

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

const changesRows = (text: string): boolean =>
  writesOf(text, REVISED).some(
    (write) => write.startsWith('UPDATE') || (write.startsWith('INSERT') && text.includes('DO UPDATE')),
  );

const drawsRevision = (text: string): boolean => text.includes('revision = gen_random_uuid()');

beforeAll(async () => {
  for (const file of sourceFiles('src/adapters/prisma')) await import(pathToFileURL(join(root, file)).href);
});

/** Without those that erase a store, whose content nobody can read by then. */
const kept = () => statements().filter((statement) => !STEPS.some(({ text }) => text === statement.text));

it('each statement that changes a product, a category, a tax class or a collection draws a new revision', () => {
  const changing = kept().filter(({ text }) => changesRows(text));
  expect(changing.length).toBeGreaterThan(6);
  expect(changing.filter(({ text }) => !drawsRevision(text)).map(({ text }) => text)).toEqual([]);
  expect(drawsRevision("UPDATE products SET name = 'x'")).toBe(false);
  expect(changesRows("INSERT INTO categories (name) VALUES ('x') ON CONFLICT (id) DO UPDATE SET name = 'x'")).toBe(true);
});

// The save of a product or a collection writes the row itself by another statement of the same transaction.
it('what belongs to a product or a collection is written with it, and by nothing else', () => {
  const alone = kept()
    .filter(({ text }) => !drawsRevision(text))
    .flatMap(({ text }) => writesOf(text, BELOW));
  const saved = tablesOf(PRODUCT_LISTS).map((table) => `INSERT INTO ${table}`);
  const emptied = Object.values(PRODUCT_LISTS).map(({ table }) => `DELETE FROM ${table}`);
  expect(alone.sort()).toEqual(
    [...saved, ...emptied, 'INSERT INTO collection_products', 'DELETE FROM collection_products'].sort(),
  );
});
