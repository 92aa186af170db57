import { expect, it } from 'vitest';

import { withSection } from '../../bench/support/section.ts';

const both = withSection(withSection('# Reliability\n', 'faults', 'none'), 'hostile', '20,000 requests');

it('a section comes to the end of the file', () => {
  expect(both).toMatch(/^# Reliability\n[^]*none[^]*20,000 requests[^]*<!-- end of hostile -->\n$/);
});

it('written again it is replaced, and the other stays as it is', () => {
  const again = withSection(both, 'faults', 'one');
  expect(again).toBe(both.replace('none', 'one'));
  expect(withSection(again, 'faults', 'none')).toBe(both);
});
