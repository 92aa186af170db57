import { describe, expect, it } from 'vitest';

import { formatPlace, parsePlace } from '../../../src/domain/catalogue/product-place.ts';

const id = '019a0000-0000-7000-8000-000000000001';

describe('a place in the order of the products', () => {
  it.each(['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2026-01-01T00:00:00.001Z', '9999-12-31T23:59:59.999Z'])(
    'is read as it was written: %s',
    (createdAt) => {
      const text = formatPlace({ createdAt, id });
      expect(text).toMatch(/^[\w.-]+$/);
      expect(parsePlace(text)).toEqual({ createdAt, id });
    },
  );
  it.each(['', 'x', id, `.${id}`, `zzzzzzzzzzz.${id}`, `-zzzzzzzzzzz.${id}`, `0.${id}x`, `0.${'-'.repeat(36)}`, `0 .${id}`])(
    'is nothing else: %s',
    (text) => {
      expect(parsePlace(text)).toBeNull();
    },
  );
});
