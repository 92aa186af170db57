import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { json, oneOf } from '../../src/adapters/prisma/connection/sql-types.ts';
import { compileStatement, statements, type AnyStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { column } from '../../src/adapters/prisma/catalogue/product-document.ts';
import { PRODUCT_TABLE } from '../../src/adapters/prisma/catalogue/product-tables.ts';
import { storedFields, type ProductTable } from '../../src/adapters/prisma/catalogue/tables-of.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { faultsOf, readCatalogue, type Catalogue } from './described.ts';
import { schemaColumns } from './schema.ts';
import { lateStatements, root, sourceFiles, textOf } from './source.ts';

let database: TestDatabase;
let client: pg.Client;
let catalogue: Catalogue;

beforeAll(async () => {
  database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  catalogue = await readCatalogue(client);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const check = (statement: AnyStatement): Promise<string[]> => faultsOf(client, statement, catalogue);

/** The names of types in SQL that differ from those of pg_type. */
const SQL_NAMES: Readonly<Record<string, string>> = {
  integer: 'int4',
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  'timestamp with time zone': 'timestamptz',
};

const tablesOf = (table: ProductTable): ProductTable[] => [table, ...Object.values(table.lists).flatMap(tablesOf)];

/** Ways around a declaration. */
const reachesDriver = (text: string): boolean =>
  /from 'pg'|\bcompileStatement\b|\.pool\b|\$(?:query|execute)Raw|\bsqlOver\b/.test(text);

describe('every statement of src/adapters/prisma', () => {
  it('declares the parameters and the columns that PostgreSQL describes on the migrated schema', async () => {
    for (const file of sourceFiles('src/adapters/prisma')) await import(pathToFileURL(join(root, file)).href);
    const faults: string[] = [];
    for (const statement of statements()) {
      faults.push(...(await check(statement)).map((fault) => `${fault}\n  in ${statement.text.trim()}`));
    }
    expect(faults).toEqual([]);
    expect(statements().length).toBeGreaterThan(0);
  });

  it('is declared when its module is loaded, so that this test finds it', () => {
    const late = sourceFiles('src/adapters/prisma').flatMap((file) => lateStatements(textOf(file)).map((at) => `${file}:${at}`));
    expect(late).toEqual([]);
    expect(lateStatements('const find = (id: string) => statement({ text: id });')).toEqual(['1']);
    expect(lateStatements('const all = names.map((text) => statement({ text }));')).toEqual([]);
  });

  it('is declared: only connection/ can reach the driver', () => {
    const reaching = sourceFiles('src/adapters/prisma').filter(
      (file) => !file.startsWith('src/adapters/prisma/connection/') && reachesDriver(textOf(file)),
    );
    expect(reaching).toEqual([]);
    expect(
      ["import pg from 'pg';", 'compileStatement({ text });', 'database.pool.query(text);', 'prisma.$queryRaw`x`'].every(
        reachesDriver,
      ),
    ).toBe(true);
  });

  // A plan may ask IN once for each row, and SKIP LOCKED then gives other rows: more than the limit. ARRAY is asked once.
  it('chooses the rows that it locks up to a limit once', () => {
    const asksAgain = (text: string): boolean => /\bIN \(\s*SELECT\b(?:(?!\bARRAY\().)*\bLIMIT\b[^)]*SKIP LOCKED/s.test(text);
    expect(statements().flatMap(({ text }) => (asksAgain(text) ? [text] : []))).toEqual([]);
    expect(asksAgain('DELETE FROM t WHERE id IN (\n SELECT id FROM t ORDER BY at LIMIT $1 FOR UPDATE SKIP LOCKED)')).toBe(true);
    expect(asksAgain('DELETE FROM t WHERE id = ANY (ARRAY(SELECT id FROM t LIMIT $1 FOR UPDATE SKIP LOCKED))')).toBe(false);
  });

  it('that inserts a product uses the types of the columns', async () => {
    const { rows } = await client.query<{ name: string; type: string }>(
      `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0`,
    );
    const types = new Map(rows.map(({ name, type }) => [name, SQL_NAMES[type] ?? type]));
    const wrong = tablesOf(PRODUCT_TABLE).flatMap((table) =>
      Object.entries(storedFields(table)).flatMap(([field, type]) => {
        const name = `${table.table}.${column(field)}`;
        return types.get(name) === type ? [] : [`${name}: is ${String(types.get(name))}, and is declared ${type}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a declaration that differs from the schema is reported', () => {
  const FIND = 'SELECT id, slug, status, position FROM products WHERE store_id = $storeId';
  const RIGHT = {
    parameters: { storeId: 'uuid' },
    row: { id: 'uuid', slug: 'text?', status: oneOf('text', ['Active', 'Draft', 'Archived']), position: 'int4' },
  } as const;

  it('and one that agrees is not', async () => {
    expect(await check(compileStatement({ text: FIND, ...RIGHT }))).toEqual([]);
  });
  it.each<[string, Parameters<typeof compileStatement>[0], string]>([
    ['a parameter of another type', { text: FIND, ...RIGHT, parameters: { storeId: 'text' } }, 'parameter storeId: is uuid'],
    ['a column of another type', { text: FIND, ...RIGHT, row: { ...RIGHT.row, position: 'int8' } }, 'column position: is int4'],
    [
      'a column that may be null',
      { text: FIND, ...RIGHT, row: { ...RIGHT.row, slug: 'text' } },
      'column slug: may be null: declare it with ? or !',
    ],
    [
      'a column that is never null',
      { text: FIND, ...RIGHT, row: { ...RIGHT.row, id: 'uuid?' } },
      'column id: is declared nullable, and the table says NOT NULL',
    ],
    ['a needless !', { text: FIND, ...RIGHT, row: { ...RIGHT.row, id: 'uuid!' } }, 'column id: needs no !'],
    [
      'a value that the CHECK of the column allows',
      { text: FIND, ...RIGHT, row: { ...RIGHT.row, status: oneOf('text', ['Active', 'Draft']) } },
      'column status: may also be Archived',
    ],
    [
      'JSON of the other type',
      {
        text: 'SELECT translations FROM products WHERE store_id = $storeId',
        parameters: RIGHT.parameters,
        row: { translations: json('json') },
      },
      'column translations: is jsonb',
    ],
    [
      'a column that the rows lack',
      { text: FIND, ...RIGHT, row: { ...RIGHT.row, sku: 'text' } },
      'column sku: is declared, and missing',
    ],
    [
      'a column that is not declared',
      { text: FIND, ...RIGHT, row: { id: 'uuid', slug: 'text?', position: 'int4' } },
      'column status: is text, and is not declared',
    ],
    ['a column that no table has', { text: 'SELECT sku FROM products' }, 'column "sku" does not exist'],
  ])('%s', async (_title, declaration, fault) => {
    expect(await check(compileStatement(declaration))).toEqual([expect.stringContaining(fault)]);
  });
  it('a wrong use does not compile', () => {
    const find = compileStatement({ text: FIND, ...RIGHT });
    const uses = [
      // @ts-expect-error -- a parameter of another type
      () => database.rows(find, { storeId: 1 }),
      // @ts-expect-error -- a parameter is missing
      () => database.rows(find, {}),
      // @ts-expect-error -- a parameter that is not declared
      () => database.rows(find, { storeId: '', id: '' }),
      // @ts-expect-error -- a column that may be null
      async () => (await database.rows(find, { storeId: '' }))[0]?.slug.length,
      // @ts-expect-error -- a column that is not declared
      async () => (await database.rows(find, { storeId: '' }))[0]?.sku,
      // @ts-expect-error -- a value that is not in the list
      async () => (await database.rows(find, { storeId: '' }))[0]?.status === 'Deleted',
    ];
    expect(uses).toHaveLength(6);
  });
  it('a parameter that the text lacks, and one that is not declared', () => {
    expect(() => compileStatement({ text: 'SELECT', parameters: { id: 'uuid' } })).toThrow('does not use its parameters id');
    expect(() => compileStatement({ text: 'SELECT $id' })).toThrow('does not declare its parameter id');
  });
});

it('prisma/schema.prisma has the columns that the migrations make', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
  );
  expect(schemaColumns().sort()).toEqual(rows.map(({ name }) => name).sort());
});
