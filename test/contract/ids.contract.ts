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

    describe('named', () => {
      it('Returns the UUID of version 5 (RFC 9562) of the name in the namespace, which is a UUID.', () => {
        // RFC 9562, A.4: www.example.com in the namespace of DNS names.
        expect(ids.named('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
      });

      it('The same name always has the same id.', () => {
        const [one, other] = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'];
        expect(ids.named(one, 'Löwe 🦁')).toBe(ids.named(one, 'Löwe 🦁'));
        expect(new Set([ids.named(one, 'a'), ids.named(one, 'b'), ids.named(other, 'a')]).size).toBe(3);
      });
    });
  });
};
