import { expect, it } from 'vitest';

import { removalNote } from '../../../src/domain/catalogue/removals.ts';

it('a note of long addresses is short: a report has a thousand of them', () => {
  const images = Array.from({ length: 250 }, (_, n) => `https://x.example/${String(n)}/${'a'.repeat(2_000)}.png`);
  const note = removalNote({ ofVariants: 1, variants: [], images, stock: 0 }) ?? '';
  expect(note).toMatch(/^Removes 250 images that the file does not have: https:\/\/x\.example\/0\/a+,.* and 230 more\.$/);
  expect(note.length).toBeLessThan(5_000);
});
