import ipaddr from 'ipaddr.js';

import type { AddressResolver } from '../../src/domain/ports/webhooks/address-resolver.ts';

type Names = Readonly<Record<string, readonly string[]>>;

const bytesOf = (address: string): Uint8Array =>
  Uint8Array.from(ipaddr.parse(address.replace(/^\[|\]$|%.*$/g, '')).toByteArray());

/** `busy` are the askers whose names are never looked up in time. */
export const createAddressResolver = (
  names: Names | ((host: string) => readonly string[] | undefined) = {},
  busy: ReadonlySet<string> = new Set(),
): AddressResolver => ({
  resolve: async (host, askedBy) => {
    if (/^\[.*\]$|^\d+(\.\d+){3}$|:/.test(host)) return [bytesOf(host)];
    if (busy.has(askedBy)) return 'busy';
    return ((typeof names === 'function' ? names(host) : names[host]) ?? []).map(bytesOf);
  },
});
