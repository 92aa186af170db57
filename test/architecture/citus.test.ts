import ts from 'typescript';
import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/** A folder or a file whose code names Citus, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/adapters/prisma/connection/': 'connects to it',
  'src/adapters/prisma/doctor/citus-check.ts': 'says what is wrong with its nodes',
  'src/adapters/prisma/doctor/examine.ts': 'has that check among the others',
  'src/adapters/prisma/shards.ts': 'moves stores between its nodes, for the command line',
  'src/adapters/postgres/backends.ts':
    'asks each new connection, in the statement that it sends anyway, and reads what one waits for',
  'src/adapters/cli/commands/shards/': 'commands about its nodes',
  'src/adapters/cli/commands/server/index.ts': 'the help of the doctor lists the checks',
  'src/generated/': 'comments of the schema',
};

const OPTIONS = { compilerOptions: { removeComments: true, target: ts.ScriptTarget.ESNext } };

/** Looks at the code and at imports of types. Comments may name Citus. */
const namesCitus = (text: string): boolean =>
  /from '[^']*citus/i.test(text) || /citus/i.test(ts.transpileModule(text, OPTIONS).outputText);

const isAllowed = (file: string): boolean => Object.keys(ALLOWED).some((place) => file.startsWith(place));

it('only the storage knows that its database may be a Citus cluster', () => {
  const naming = sourceFiles('src').filter((file) => /citus/i.test(textOf(file)) && namesCitus(textOf(file)));
  expect(naming.filter((file) => !isAllowed(file))).toEqual([]);
  const unused = Object.keys(ALLOWED).filter(
    (place) => !place.includes('generated') && !naming.some((file) => file.startsWith(place)),
  );
  expect(unused).toEqual([]);
});

it.each([
  ['import { hasCitus } from "../connection/citus/has-citus.ts"; hasCitus();', true],
  ["import type { CitusFacts } from '../connection/citus/facts.ts';", true],
  ["const text = 'the nodes of a Citus cluster';", true],
  ['// On Citus, each table names its store.\nconst text = 1;', false],
])('%s is found: %s', (text, found) => {
  expect(namesCitus(text)).toBe(found);
});
