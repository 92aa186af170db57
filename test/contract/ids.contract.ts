import { describe, expect, it } from 'vitest';

import type { Ids } from '../../src/domain/ports/ids.ts';

export const idsContract = (name: string, open: () => Ids) => {
  describe(`Ids on ${name}`, () => {
    const ids = open();
    const made = Array.from({ length: 20_000 }, () => ids.next());

    describe('next', () => {
      it('Returns a new UUID of version 7.', () => {
        const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
        expect(made.filter((id) => !shape.test(id))).toEqual([]);
        expect(new Set(made).size).toBe(made.length);
      });

      it('Later ids sort after earlier ids.', () => {
        expect([...made].sort()).toEqual(made);
      });
    });
  });
};
