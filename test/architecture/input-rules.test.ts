import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

const files = sourceFiles('src').filter((file) => !file.includes('generated'));
const matching = (pattern: RegExp, folder = 'src/') =>
  files.filter((file) => file.startsWith(folder) && pattern.test(textOf(file)));

it('only text.ts counts characters: schemas use textOf or nameOf, because zod counts UTF-16 units', () => {
  expect(matching(/z\s*\.string\(\)[^,;]*\.max\(/, 'src/adapters/http/')).toEqual([]);
  expect(
    matching(/Array\.from\([a-z]+\)\.length|\.trim\(\) === ''/i, 'src/domain/').filter((file) => !file.endsWith('/text.ts')),
  ).toEqual([]);
});

it('only bounded.ts defines arrays of requests, because zod checks every element before it counts them', () => {
  const unbounded = matching(/./, 'src/adapters/http/').filter((file) =>
    textOf(file)
      .split(/\n(?=(?:export )?const )/)
      .some(
        (part) =>
          /(?<!install|refused)Request|merchantEvent|newApp|DOCUMENTS|ALONE|\bscopes =|const change/.test(
            part.split('=')[0] ?? '',
          ) && /\.array\(|z\.record\(/.test(part),
      ),
  );
  expect(unbounded).toEqual([]);
});

it('the maximum number of reported errors is defined in one place', () => {
  expect(matching(/MAX_FAULTS = /)).toEqual(['src/domain/values/fault-list.ts']);
});

it("requests are validated in one place, with Tenon's messages", () => {
  expect(matching(/\.safeParse\(/, 'src/adapters/http/').sort()).toEqual([
    'src/adapters/http/openapi/openapi.ts',
    'src/adapters/http/serving/input/judge.ts',
  ]);
});
