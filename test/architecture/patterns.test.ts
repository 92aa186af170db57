import { ESLint, Linter } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';

/** The rules on expressions, as `npm run lint` has them for a file of the source. */
let patternRules: Linter.Config;
const faultsOf = (code: string): string[] => new Linter().verify(code, patternRules).map(({ ruleId }) => String(ruleId));

describe('lint refuses a regular expression that takes more than linear time', () => {
  beforeAll(async () => {
    const { plugins, rules } = (await new ESLint().calculateConfigForFile('src/domain/catalogue/slug.ts')) as Linter.Config;
    const own = Object.entries(rules ?? {}).filter(([name]) => name.startsWith('regexp/'));
    patternRules = { plugins: { regexp: plugins?.['regexp'] ?? {} }, rules: Object.fromEntries(own) };
  });

  it.each([
    ['two neighbours that take the same characters', String.raw`/^form\s*;?\s*$/.test(text);`],
    ['nested repeats', '/^(a+)+$/.test(text);'],
    ['a run that is tried again from each of its characters', String.raw`text.replace(/\/+$/, '');`],
    ['the same, by the constructor', String.raw`new RegExp('\\s+$').test(text);`],
  ])('%s', (_title, code) => {
    expect(faultsOf(code)).toEqual([expect.stringMatching(/^regexp\/no-super-linear-/)]);
  });
  it('and accepts an expression that takes linear time', () => {
    expect(faultsOf(String.raw`/^[a-z]+(?:-[a-z]+)*$/.test(text);`)).toEqual([]);
  });
});
