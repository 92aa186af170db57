import ipaddr from 'ipaddr.js';

import type { AddressResolver } from '../../src/domain/ports/webhooks/address-resolver.ts';

const bytesOf = (address: string): Uint8Array => Uint8Array.from(ipaddr.parse(address.replace(/^\[|\]$/g, '')).toByteArray());

export const createAddressResolver = (names: Readonly<Record<string, readonly string[]>> = {}): AddressResolver => ({
  resolve: async (host) => {
    const literal = /^\[.*\]$|^\d+(\.\d+){3}$|:/.test(host);
    return (literal ? [host] : (names[host] ?? [])).map(bytesOf);
  },
});
