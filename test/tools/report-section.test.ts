import { expect, it } from 'vitest';

import { withSection } from '../../bench/support/section.ts';

const both = withSection(withSection('# Reliability\n', 'faults', 'none'), 'hostile', '20,000 requests');

it('a new section is appended to the file', () => {
  expect(both).toMatch(/^# Reliability\n[^]*none[^]*20,000 requests[^]*<!-- end of hostile -->\n$/);
});

it('an existing section is replaced, and the others do not change', () => {
  const again = withSection(both, 'faults', 'one');
  expect(again).toBe(both.replace('none', 'one'));
  expect(withSection(again, 'faults', 'none')).toBe(both);
});
