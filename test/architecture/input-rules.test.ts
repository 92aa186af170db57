import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

const files = sourceFiles('src').filter((file) => !file.includes('generated'));
const matching = (pattern: RegExp, folder = 'src/') =>
  files.filter((file) => file.startsWith(folder) && pattern.test(textOf(file)));

it('only text.ts counts characters: a schema takes textOf or nameOf, since the max of zod counts UTF-16 units', () => {
  expect(matching(/z\s*\.string\(\)[^,;]*\.max\(/, 'src/adapters/http/')).toEqual([]);
  expect(
    matching(/Array\.from\([a-z]+\)\.length|\.trim\(\) === ''/i, 'src/domain/').filter((file) => !file.endsWith('/text.ts')),
  ).toEqual([]);
});

it('only bounded.ts makes arrays of requests: those of zod judge every element before they count', () => {
  const requests = [
    'bulk',
    'product-document',
    'metaobject-definition',
    'collection',
    'subscription',
    'media-import',
    'delivery',
    'installation',
  ];
  const unbounded = requests.filter((name) =>
    textOf(`src/adapters/http/schemas/${name}.ts`)
      .split(/\n(?=(?:export )?const )/)
      .some(
        (part) =>
          /Request|merchantEvent|newApp|productDocument|\bscopes =|const change/.test(part.split('=')[0] ?? '') &&
          /\.array\(|z\.record\(/.test(part),
      ),
  );
  expect(unbounded).toEqual([]);
});

it('the number of reported faults is in one place', () => {
  expect(matching(/MAX_FAULTS = /)).toEqual(['src/domain/values/fault-list.ts']);
});

it('requests are judged in one place, where zod gets our messages', () => {
  expect(matching(/\.safeParse\(/, 'src/adapters/http/').sort()).toEqual([
    'src/adapters/http/serving/judge.ts',
    'src/adapters/http/openapi/openapi.ts',
  ]);
});
