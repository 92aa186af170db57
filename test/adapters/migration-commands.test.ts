import { expect, it } from 'vitest';

import { commandsOf } from '../../src/adapters/prisma/connection/migrations.ts';

it.each([
  ['commands', 'CREATE TABLE a (b int); DROP TABLE c', ['CREATE TABLE a (b int)', ' DROP TABLE c']],
  ['a text', `SELECT 'a;''b;'; SELECT 1;`, [`SELECT 'a;''b;'`, ' SELECT 1']],
  ['a quoted name', 'SELECT "a;b"', ['SELECT "a;b"']],
  ['a text between dollars', 'DO $$ a; b; $$; SELECT $f$ $$;$$ $f$;', ['DO $$ a; b; $$', ' SELECT $f$ $$;$$ $f$']],
  ['a comment', '-- a; b\nSELECT 1; -- c;\n', ['-- a; b\nSELECT 1']],
  ['a quote in a comment', "-- don't\nSELECT 1;\n-- it's\nSELECT 2;", ["-- don't\nSELECT 1", "\n-- it's\nSELECT 2"]],
])('%s of a script', (_what, script, commands) => {
  expect(commandsOf(script)).toEqual(commands);
});
