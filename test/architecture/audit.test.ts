import { expect, it } from 'vitest';

import { verdictOf } from '../../.ci/audit.ts';

const report = (severity: string) =>
  JSON.stringify({
    metadata: { vulnerabilities: { low: 1, [severity]: 1 } },
    vulnerabilities: { thing: { name: 'thing', severity, range: '<2' } },
  });

it.each([
  ['moderate', 0],
  ['high', 1],
  ['critical', 1],
])('a vulnerability of severity %s ends with %d', (severity, code) => {
  expect(verdictOf(report(severity)).code).toBe(code);
});

it('the failing vulnerabilities are named', () => {
  expect(verdictOf(report('high')).text).toContain('high: thing <2');
});

it.each([
  ['a registry without the endpoint', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 })],
  ['no registry', ''],
])('%s is reported and is not a success', (_what, json) => {
  const { code, text } = verdictOf(json);
  expect([code, text]).toEqual([2, expect.stringContaining('nothing is known of vulnerabilities') as string]);
});
