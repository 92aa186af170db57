import { describe, expect, it } from 'vitest';

import type { AddressResolver } from '../../src/domain/ports/webhooks/address-resolver.ts';

/**
 * `open` makes a resolver that knows `two.example.com` as 192.0.2.1 and 2001:db8::1.
 * `slow.example.com` does not answer in time.
 */
export const addressResolverContract = (name: string, open: () => AddressResolver) => {
  describe(`AddressResolver on ${name}`, () => {
    const addresses = open();
    describe('resolve', () => {
      it('Returns every address of a name, as 4 or 16 bytes each.', async () => {
        const found = await addresses.resolve('two.example.com');
        expect(found).toEqual([
          Uint8Array.of(192, 0, 2, 1),
          Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        ]);
      });
      it('Returns a literal address as itself, with or without brackets.', async () => {
        expect(await addresses.resolve('10.0.0.1')).toEqual([Uint8Array.of(10, 0, 0, 1)]);
        const loopback = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        expect(await addresses.resolve('[::1]')).toEqual([loopback]);
        expect(await addresses.resolve('::1')).toEqual([loopback]);
      });
      it('Returns an empty list when the name does not resolve.', async () => {
        expect(await addresses.resolve('nowhere.example.com')).toEqual([]);
      });
      it('Returns an empty list when the name does not resolve in time.', async () => {
        expect(await addresses.resolve('slow.example.com')).toEqual([]);
      });
    });
  });
};
