import ipaddr from 'ipaddr.js';

import type { Cidr } from '../../../domain/webhooks/address.ts';

/**
 * An address in text form (dotted IPv4 with four parts, IPv6 with or without brackets) as bytes.
 * Null when the text is not an address.
 */
export const parseAddress = (text: string): Uint8Array | null => {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return Uint8Array.from(ipaddr.parse(bare).toByteArray());
};

/**
 * `WEBHOOK_ALLOWED_CIDRS` and `MEDIA_ALLOWED_CIDRS`: "127.0.0.0/8,::1/128". Throws an Error with
 * one line that names the invalid entry.
 */
export const parseCidrs = (text: string): Cidr[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
      const network = parseAddress(address);
      if (!network || Number(prefix) > network.length * 8)
        throw new Error(`"${entry}" is not an address range such as 127.0.0.0/8`);
      return { network, prefix: Number(prefix) };
    });
