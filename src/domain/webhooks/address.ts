/** An address range: the bytes of the network (4 or 16) and the length of the prefix in bits. */
export interface Cidr {
  readonly network: Uint8Array;
  readonly prefix: number;
}

// In bytes, since an address may embed another one at any bit. net.BlockList compares texts, and only whole addresses.
const bitsOf = (bytes: Uint8Array, from: number, count: number): Uint8Array => bytes.slice(from, from + count);

const startsWith = (bytes: Uint8Array, network: readonly number[] | Uint8Array, prefix: number): boolean => {
  for (let bit = 0; bit < prefix; bit += 8) {
    const kept = Math.min(8, prefix - bit);
    const mask = (0xff << (8 - kept)) & 0xff;
    if (((bytes[bit / 8] ?? 0) & mask) !== ((network[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
};

/**
 * IPv4 ranges that are not global unicast: the IANA special-purpose registry, multicast and
 * reserved ranges.
 */
const DENIED_V4: readonly (readonly [readonly number[], number])[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 31, 196], 24],
  [[192, 52, 193], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[192, 175, 48], 24],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 4],
  [[240], 4],
];

/**
 * Ranges within 2000::/3 that no receiver has: protocol assignments, documentation, ORCHID, AS112.
 * Teredo and 6to4 are judged before.
 */
const DENIED_V6: readonly (readonly [readonly number[], number])[] = [
  [[0x20, 0x01, 0x00], 23],
  [[0x20, 0x01, 0x0d, 0xb8], 32],
  [[0x26, 0x20, 0x00, 0x4f, 0x80, 0x00], 48],
  [[0x3f, 0xff, 0x00], 20],
];

/**
 * Ranges that embed an IPv4 address, and the byte where it begins. The embedded address is judged.
 */
const EMBEDDING: readonly (readonly [readonly number[], number, number])[] = [
  // IPv4-mapped ::ffff:0:0/96, translated ::ffff:0:0:0/96, and IPv4-compatible ::/96.
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96, 12],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], 96, 12],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12],
  // NAT64, well known.
  [[0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12],
  // 6to4.
  [[0x20, 0x02], 16, 2],
];

const isPublicV4 = (bytes: Uint8Array): boolean => !DENIED_V4.some(([network, prefix]) => startsWith(bytes, network, prefix));

/**
 * NAT64's local prefix 64:ff9b:1::/48. The prefix length within it is unknown, so the address at
 * each place of RFC 6052 must be public.
 */
const isPublicLocalNat64 = (bytes: Uint8Array): boolean => {
  const at = (...places: number[]) => isPublicV4(Uint8Array.from(places.map((place) => bytes[place] ?? 0)));
  return at(6, 7, 9, 10) && at(7, 9, 10, 11) && at(9, 10, 11, 12) && at(12, 13, 14, 15);
};

/** Teredo 2001::/32: the server's address as it is, the client's with its bits flipped. */
const isPublicTeredo = (bytes: Uint8Array): boolean =>
  isPublicV4(bitsOf(bytes, 4, 4)) && isPublicV4(bitsOf(bytes, 12, 4).map((byte) => byte ^ 0xff));

const isPublicV6 = (bytes: Uint8Array): boolean => {
  const embedding = EMBEDDING.find(([network, prefix]) => startsWith(bytes, network, prefix));
  if (embedding) return isPublicV4(bitsOf(bytes, embedding[2], 4));
  if (startsWith(bytes, [0, 0x64, 0xff, 0x9b, 0, 1], 48)) return isPublicLocalNat64(bytes);
  if (startsWith(bytes, [0x20, 0x01, 0, 0], 32)) return isPublicTeredo(bytes);
  // Global unicast is 2000::/3. SRv6's 5f00::/16 is outside it: a segment names a router of one
  // domain and embeds no address.
  if (!startsWith(bytes, [0x20], 3)) return false;
  return !DENIED_V6.some(([network, prefix]) => startsWith(bytes, network, prefix));
};

/**
 * Accepts an address (4 or 16 bytes) that is global unicast, with any embedded address
 * (docs/specification/webhooks.md, "Addresses").
 */
export const isPublicAddress = (bytes: Uint8Array): boolean => {
  if (bytes.length === 4) return isPublicV4(bytes);
  return bytes.length === 16 && isPublicV6(bytes);
};

/** A socket dials an IPv4-mapped address as the IPv4 address. */
const unmapped = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 16 && startsWith(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96) ? bitsOf(bytes, 12, 4) : bytes;

export const isAllowed = (bytes: Uint8Array, ranges: readonly Cidr[]): boolean => {
  const address = unmapped(bytes);
  return ranges.some(({ network, prefix }) => network.length === address.length && startsWith(address, network, prefix));
};

/** Allows a delivery to an address that is public or allowed by a setting. */
export const mayDial = (bytes: Uint8Array, allowed: readonly Cidr[]): boolean =>
  isPublicAddress(bytes) || isAllowed(bytes, allowed);
