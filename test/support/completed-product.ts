import { expect } from 'vitest';

import { sequentialIds } from '../memory/ids.ts';
import { completeProduct } from '../../src/domain/catalogue/product-document.ts';
import type { Product, ProductDocument } from '../../src/domain/catalogue/product.ts';

export const STORE = '00000000-0000-7000-8000-00000000aaaa';
export const NOW = '2026-01-01T00:00:00.000Z';
export const LATER = '2026-02-01T00:00:00.000Z';

/** An id that a test can name. No id that is made is the same. */
export const uuid = (end: string): string => `00000000-0000-7000-9000-${end.padStart(12, '0')}`;

const ids = sequentialIds();

/** Completes a put of the document; it replaces `current` at the time LATER. */
export const completed = (document: ProductDocument, current: Product | null = null, keepsStored = false) =>
  completeProduct(document, {
    storeId: STORE,
    nextId: () => ids.next(),
    now: current ? LATER : NOW,
    current,
    ...(keepsStored ? { keepsStored } : {}),
  });

const valueOf = (result: ReturnType<typeof completed>): Product => (result.ok ? result.value : expect.fail(result.message));

export const made = (document: ProductDocument, current: Product | null = null): Product => valueOf(completed(document, current));

/** Completes an import of the document, in which absent fields keep their stored values. */
export const imported = (document: ProductDocument, current: Product | null): Product =>
  valueOf(completed(document, current, true));

/** The refusal of the document, or null. */
export const messageOf = (document: ProductDocument, current: Product | null = null): string | null => {
  const result = completed(document, current);
  return result.ok ? null : result.message;
};
