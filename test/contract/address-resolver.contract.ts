import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { AddressResolver } from '../../src/domain/ports/webhooks/address-resolver.ts';

/** The resolver knows `two.example.com` as 192.0.2.1 and 2001:db8::1. `slow.example.com` does not answer in time. */
export interface ResolverWorld {
  readonly addresses: AddressResolver;
  /** From now on, more names of the asker are being looked up than may be at once, until the world is closed. */
  flood(askedBy: string): Promise<void>;
  close(): Promise<void>;
}

/** `open` makes a resolver whose look-ups, and their waits, take at most `milliseconds`. */
export const addressResolverContract = (name: string, open: (milliseconds: number) => Promise<ResolverWorld>) => {
  describe(`AddressResolver on ${name}`, () => {
    let world: ResolverWorld;
    beforeEach(async () => {
      // Long enough for a busy machine. What must be late has a shorter one.
      world = await open(60_000);
    });
    afterEach(() => world.close());
    const hurried = async (use: (hurriedWorld: ResolverWorld) => Promise<void>): Promise<void> => {
      const other = await open(100);
      try {
        await use(other);
      } finally {
        await other.close();
      }
    };

    describe('resolve', () => {
      it('Returns every address of a name, as 4 or 16 bytes each.', async () => {
        const found = await world.addresses.resolve('two.example.com', 'app');
        expect(found).toEqual([
          Uint8Array.of(192, 0, 2, 1),
          Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        ]);
      });
      it('Returns a literal address as itself, with or without brackets.', async () => {
        const { addresses } = world;
        expect(await addresses.resolve('10.0.0.1', 'app')).toEqual([Uint8Array.of(10, 0, 0, 1)]);
        const loopback = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        expect(await addresses.resolve('[::1]', 'app')).toEqual([loopback]);
        expect(await addresses.resolve('::1', 'app')).toEqual([loopback]);
      });
      it('Returns an empty list when the name does not resolve.', async () => {
        expect(await world.addresses.resolve('nowhere.example.com', 'app')).toEqual([]);
      });
      it('Returns an empty list when the name does not resolve in time.', async () => {
        await hurried(async ({ addresses }) => {
          expect(await addresses.resolve('slow.example.com', 'app')).toEqual([]);
        });
      });
      it('Returns `busy` when too many names of the asker are being looked up for too long.', async () => {
        await hurried(async ({ addresses, flood }) => {
          await flood('app');
          expect(await addresses.resolve('two.example.com', 'app')).toBe('busy');
        });
      });
      it('Names of one asker do not wait for those of another.', async () => {
        await world.flood('app');
        expect(await world.addresses.resolve('two.example.com', 'other')).toHaveLength(2);
      });
    });
  });
};
