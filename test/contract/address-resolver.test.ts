import { createAddressResolver as createMemoryResolver } from '../memory/address-resolver.ts';
import { createAddressResolver } from '../../src/adapters/node/address-resolver.ts';
import { addressResolverContract } from './address-resolver.contract.ts';

const names: Record<string, string[]> = { 'two.example.com': ['192.0.2.1', '2001:db8::1'] };

addressResolverContract('memory', () => createMemoryResolver(names));
addressResolverContract('node', () =>
  createAddressResolver({
    timeoutMilliseconds: 100,
    lookupAll: (host) => {
      if (host === 'slow.example.com') return new Promise(() => undefined);
      const found = names[host];
      return found ? Promise.resolve(found.map((address) => ({ address }))) : Promise.reject(new Error(`ENOTFOUND ${host}`));
    },
  }),
);
