import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

import type { Cidr } from '../../domain/webhooks/address.ts';
import type { AddressResolver } from '../../domain/ports/address-resolver.ts';

/** An address of text form (dotted IPv4 in four parts, IPv6 with or without brackets) as bytes; null when it is none. */
export const parseAddress = (text: string): Uint8Array | null => {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return Uint8Array.from(ipaddr.parse(bare).toByteArray());
};

/** `WEBHOOK_ALLOWED_CIDRS` and `MEDIA_ALLOWED_CIDRS`: "127.0.0.0/8,::1/128". Throws an Error with one line that names the entry at fault. */
export const parseCidrs = (text: string): Cidr[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
      const network = parseAddress(address);
      if (!network || Number(prefix) > network.length * 8) throw new Error(`"${entry}" is no address range such as 127.0.0.0/8`);
      return { network, prefix: Number(prefix) };
    });

export interface AddressResolverOptions {
  /** 2000 unless told. */
  readonly timeoutMilliseconds?: number;
  /** node:dns unless a test says otherwise. */
  readonly lookupAll?: (host: string) => Promise<readonly { readonly address: string }[]>;
}

/** The resolver of the system, as the sockets that deliver use it. */
export const createAddressResolver = ({
  timeoutMilliseconds = 2000,
  lookupAll = (host) => lookup(host, { all: true, verbatim: true }),
}: AddressResolverOptions = {}): AddressResolver => ({
  resolve: async (host) => {
    const literal = parseAddress(host);
    if (literal) return [literal];
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<readonly { readonly address: string }[]>((resolve) => {
      timer = setTimeout(() => resolve([]), timeoutMilliseconds);
    });
    // A name that doesn't resolve is no fault of the service: it is judged again at connect time.
    const found = await Promise.race([lookupAll(host).catch(() => []), late]);
    clearTimeout(timer);
    // A zone (fe80::1%eth0) belongs to the link, not to the address.
    return found.map(({ address }) => parseAddress(address.split('%', 1)[0] ?? '')).filter((address) => address !== null);
  },
});
