import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { root, textOf } from './source.ts';

const model = textOf('docs/threat-model.md');
const sections = model.split(/^## /m).slice(1);
const named = (text: string) => [...text.matchAll(/`((?:test|hostile)\/[\w./-]+)`/g)].map(([, path = '']) => path);

it('the threat model has the ten headings of OWASP for 2023', () => {
  const numbers = sections.flatMap((section) => /^API(\d+):2023 /.exec(section)?.[1] ?? []);
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
});

it('every heading has a rule, and every rule names a test that exists', () => {
  for (const section of sections.filter((text) => text.startsWith('API'))) {
    const rules = section.split('\n').filter((line) => line.startsWith('|') && !/^\| (Rule|-)/.test(line));
    expect(rules.length, section).toBeGreaterThan(0);
    expect(rules.filter((rule) => named(rule).length === 0)).toEqual([]);
  }
  expect(named(model).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('SECURITY.md names only existing files and scripts', () => {
  const text = textOf('SECURITY.md');
  const files = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, path = '']) => path);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  const named = [...text.matchAll(/`npm run (\w+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
