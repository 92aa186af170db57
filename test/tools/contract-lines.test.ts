import { expect, it } from 'vitest';

import { linesOf } from '../../.ci/contract-lines.ts';
import type { ContractTest } from '../support/contract-report.ts';

const test = (port: string, result: ContractTest['result'], message: string | null = null): ContractTest => ({
  port,
  adapter: 'Other',
  name: `${port} on Other > does something`,
  result,
  message,
});

it('the contracts are counted by result, with totals, and what failed is named', () => {
  const tests = [
    test('KeyLog', 'passed'),
    test('KeyLog', 'failed', 'expected 1 to be 2'),
    test('Figures', 'not written'),
    test('NodeMessages', 'not promised'),
    test('Finder', 'not run'),
    test('Finder', 'passed'),
  ];
  expect(linesOf({ tests, errors: [{ where: 'the hooks of Finder on Other', message: 'no world' }] })).toEqual([
    'Port          Other',
    'Figures       1 not written',
    'Finder        1 passed, 1 not run',
    'KeyLog        1 passed, 1 failed',
    'NodeMessages  1 not promised',
    'All           2 passed, 1 not written, 1 not promised, 1 failed, 1 not run',
    'Failed: KeyLog on Other > does something: expected 1 to be 2',
    'Failed: the hooks of Finder on Other: no world',
  ]);
});
