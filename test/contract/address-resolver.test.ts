import { createAddressResolver as createMemoryResolver } from '../memory/address-resolver.ts';
import { createAddressResolver } from '../../src/adapters/node/names/address-resolver.ts';
import { MAX_NAME_LOOK_UPS } from '../../src/domain/webhooks/name-look-ups.ts';
import { NXDOMAIN, startNameServer } from '../support/name-server.ts';
import { addressResolverContract } from './address-resolver.contract.ts';

addressResolverContract('memory', async () => {
  const busy = new Set<string>();
  return {
    addresses: createMemoryResolver({ 'two.example.com': ['192.0.2.1', '2001:db8::1'] }, busy),
    flood: async (askedBy) => void busy.add(askedBy),
    close: async () => undefined,
  };
});

addressResolverContract('node', async (milliseconds) => {
  const server = await startNameServer(({ name, type }) => {
    if (name === 'two.example.com') return { addresses: [type === 'A' ? '192.0.2.1' : '2001:db8::1'] };
    return name.startsWith('slow') ? 'silence' : NXDOMAIN;
  });
  const addresses = createAddressResolver({ servers: [server.address], timeoutMilliseconds: milliseconds });
  const flooding: Promise<unknown>[] = [];
  const state = { isOpen: true };
  /** Begins another of its names as soon as one has ended. */
  const hold = async (askedBy: string, place: number): Promise<void> => {
    for (let n = 0; state.isOpen; n += 1) await addresses.resolve(`slow-${place}-${n}.example.com`, askedBy);
  };
  return {
    addresses,
    flood: async (askedBy) => {
      const names = Array.from({ length: MAX_NAME_LOOK_UPS }, (_, place) => place);
      const begun = Promise.all(names.map((place) => server.next(({ name }) => name === `slow-${place}-0.example.com`)));
      flooding.push(...names.map((place) => hold(askedBy, place)));
      await begun;
      // Names that wait already get the next places.
      for (const place of names) for (let n = 0; n < 3; n += 1) flooding.push(hold(askedBy, 100 * (n + 1) + place));
    },
    close: async () => {
      state.isOpen = false;
      addresses.close();
      await Promise.all(flooding);
      await server.close();
    },
  };
});
