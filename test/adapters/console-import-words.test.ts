import { expect, it } from 'vitest';

import { isGood, isOfUse, removalsText, removedList, titleOf } from '../../console/pages/products/import-words.ts';

it.each([
  [30, 0, 'complete', 'All 30 products imported', 'Dry run: all 30 products would be imported'],
  [31, 1, 'complete', '30 of 31 products imported', 'Dry run: 30 of 31 products would be imported'],
  [1, 1, 'complete', '0 of 1 product imported', 'Dry run: 0 of 1 product would be imported'],
  [1, 0, 'complete', '1 product imported', 'Dry run: 1 product would be imported'],
  [0, 0, 'complete', 'The file has no products', 'Dry run: the file has no products'],
  [9, 0, 'stopped', 'It was stopped before the end of the file', 'Dry run: it was stopped before the end of the file'],
  [9, 9, 'refused', 'Nothing from the file was imported', 'Dry run: nothing from the file would be imported'],
] as const)('an import of %i products and %i failures, that is %s', (read, failed, ended, title, dryTitle) => {
  const report = { read, failed, ended };
  expect(titleOf(report, false)).toBe(title);
  expect(titleOf(report, true)).toBe(dryTitle);
});

it('a dry run offers an import that would do something, and one that read nothing or broke off is not good', () => {
  const all = { read: 2, failed: 0, ended: 'complete' } as const;
  expect([all, { ...all, failed: 1 }, { ...all, ended: 'stopped' as const }].map(isOfUse)).toEqual([true, true, true]);
  expect(
    [
      { ...all, read: 0 },
      { ...all, failed: 2 },
      { ...all, ended: 'refused' as const },
    ].map(isOfUse),
  ).toEqual([false, false, false]);
  expect([all, { ...all, read: 0 }, { ...all, failed: 1 }, { ...all, ended: 'stopped' as const }].map(isGood)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('what is removed is said, and what would be', () => {
  const removed = { variantsRemoved: 1, imagesRemoved: 2, stockRemoved: 823 };
  expect(removedList(removed)).toBe('1 variant, 2 images, 823 units of stock');
  expect(removedList({ ...removed, imagesRemoved: 0 })).toBe('1 variant, 823 units of stock');
  expect(removedList({ variantsRemoved: 0, imagesRemoved: 0, stockRemoved: 0 })).toBeNull();
  expect(removalsText({ variants: 246, ofVariants: 548, images: 0, stock: 823 })).toBe(
    'The import would remove 246 of 548 variants of the products in the file, with 823 units of stock. Nothing was written.',
  );
});
