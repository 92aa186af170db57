import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const IDS = ['0192f0c1-5d3e-7b1a-8c2d-000000000001', '0192f0c1-5d3e-7b1a-8c2d-000000000002'];

describe('an array parameter has the values that were given', () => {
  it('texts', async () => {
    const echo = compileStatement({
      text: 'SELECT cardinality($texts::text[]) AS count, to_json($texts::text[])::text AS texts',
      parameters: { texts: 'text?[]' },
      row: { count: 'int4', texts: 'text' },
    });
    for (const texts of [
      [],
      ['a'],
      ['', null, 'NULL', 'null', '"', '\\', ',', '{}', '{a,b}', ' a ', 'Nhẫn', '😀', '\n'],
      ['a', ''],
    ]) {
      expect(await database.rows(echo, { texts })).toEqual([{ count: texts.length, texts: JSON.stringify(texts) }]);
    }
  });

  it('numbers, booleans, UUIDs and times, with nulls and without elements', async () => {
    const echo = compileStatement({
      text: `SELECT $ints::int[] AS ints, $floats::float8[] AS floats, $flags::bool[] AS flags, $ids::uuid[] AS ids,
               $times::timestamptz[] AS times, $none::uuid[] AS none`,
      parameters: {
        ints: 'int4?[]',
        floats: 'float8?[]',
        flags: 'bool[]',
        ids: 'uuid?[]',
        times: 'timestamptz[]',
        none: 'uuid[]?',
      },
      row: { ints: 'int4[]', floats: 'float8[]', flags: 'bool[]', ids: 'uuid[]', times: 'timestamptz[]', none: 'uuid[]?' },
    });
    const time = new Date('2026-01-01T00:00:00.123Z');
    const given = {
      ints: [1, null, -2],
      floats: [0.1, null, 1e300],
      flags: [true, false],
      ids: [...IDS, null],
      times: [time],
      none: null,
    };
    expect(await database.rows(echo, given)).toEqual([given]);
    const empty = { ints: [], floats: [], flags: [], ids: [], times: [], none: [] };
    expect(await database.rows(echo, empty)).toEqual([empty]);
  });

  it('and no text makes one UUID into two', async () => {
    const echo = compileStatement({
      text: 'SELECT $ids::uuid[] AS ids',
      parameters: { ids: 'uuid[]' },
      row: { ids: 'uuid[]' },
    });
    for (const text of [IDS.join(), `${IDS[0]?.replaceAll('-', '') ?? ''},NUL`, `{${IDS[0]?.slice(2) ?? ''}}`])
      await expect(database.rows(echo, { ids: [text] })).rejects.toThrow('invalid input syntax for type uuid');
    expect(await database.rows(echo, { ids: [IDS[0]?.replaceAll('-', '') ?? ''] })).toEqual([{ ids: [IDS[0]] }]);
  });
});

it('execute gives the number of rows that a statement found or changed', async () => {
  await database.query('CREATE TABLE counted (n int)');
  const insert = compileStatement({
    text: 'INSERT INTO counted SELECT unnest($numbers::int[])',
    parameters: { numbers: 'int4[]' },
  });
  expect(await database.execute(insert, { numbers: [1, 2, 3] })).toBe(3);
  expect(await database.execute(compileStatement({ text: 'SELECT FROM counted WHERE n > 1' }))).toBe(2);
  expect(await database.execute(compileStatement({ text: 'DELETE FROM counted WHERE n > 9' }))).toBe(0);
});
