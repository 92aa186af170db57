import { describe, expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/** Paths of the pages of a store, from the routes of the console. */
const paths = sourceFiles('console/pages')
  .filter((file) => file.endsWith('/routes.ts'))
  .flatMap((file) => [...textOf(file).matchAll(/getParentRoute: \(\) => storeRoute,\s+path: '(\/[a-z-]+)',/g)])
  .map(([, path = '']) => path);

describe('the pages of a store', () => {
  it('are found', () => {
    expect(paths).toContain('/incidents');
  });
  it.each(paths)('%s is in the router', (path) => {
    const name = textOf('console/router.tsx');
    const own = sourceFiles('console/pages').find(
      (file) => file.endsWith('/routes.ts') && textOf(file).includes(`path: '${path}'`),
    );
    expect(name).toContain(`./${String(own).replace('console/', '')}`);
  });
  it.each(paths)('%s is looked at by the test of accessibility', (path) => {
    expect(textOf('test/console/accessibility.test.ts')).toMatch(new RegExp(`'${path}['?]`));
  });
});

it('docs/console.md describes each page that the side names', () => {
  const names = [...textOf('console/shell/side.tsx').matchAll(/to: '\/stores\/\$storeId[^']*', name: '([^']+)'/g)].map(
    ([, name = '']) => name,
  );
  const text = textOf('docs/console.md').toLowerCase();
  expect(names.filter((name) => !text.includes(name.toLowerCase()))).toEqual([]);
});
