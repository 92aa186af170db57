import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { settingsTable } from '../../src/adapters/cli/help.ts';
import { root, textOf } from './source.ts';

const readme = textOf('README.md');
const rows = (text: string) =>
  text.split('\n').flatMap((line) => (/^\| *`[A-Z_]+` *\|/.test(line) ? [line.replaceAll(/ *\| */g, '|').trim()] : []));

it("the README's table of settings is the program's own", () => {
  expect(rows(readme).length).toBeGreaterThan(0);
  expect(rows(readme)).toEqual(rows(settingsTable()));
});

it('every file and folder that the README names is there', () => {
  const named = [...readme.matchAll(/(?:^|[`(\s])((?:src|test|prisma)\/[\w./-]*\w)/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
