import { ESLint, Linter } from 'eslint';
import { expect, it } from 'vitest';

it.each(['URL.canParse(text)', 'URL.parse(text)', 'const { canParse } = URL;'])('lint refuses %s', async (planted) => {
  const config = (await new ESLint().calculateConfigForFile('src/domain/values/url.ts')) as Linter.Config;
  const rules = { 'no-restricted-properties': config.rules?.['no-restricted-properties'] };
  expect(new Linter().verify(planted, { rules }).map(({ ruleId }) => ruleId)).toEqual(['no-restricted-properties']);
});
