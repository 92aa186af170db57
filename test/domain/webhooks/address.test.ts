import { describe, expect, it } from 'vitest';

import { parseAddress, parseCidrs } from '../../../src/adapters/node/names/ip-address.ts';
import { isAllowed, isPublicAddress, mayDial } from '../../../src/domain/webhooks/address.ts';

const bytes = (text: string): Uint8Array => {
  const parsed = parseAddress(text);
  if (!parsed) throw new Error(`no address: ${text}`);
  return parsed;
};

describe('denied is all that is not global unicast', () => {
  it.each([
    ['0.0.0.0', 'this host'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.0', 'shared by a carrier'],
    ['100.127.255.255', 'shared by a carrier'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['169.254.169.254', 'link-local, metadata of clouds'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.31.196.1', 'AS112'],
    ['192.52.193.1', 'multicast relays'],
    ['192.88.99.1', '6to4 relays'],
    ['192.168.0.1', 'private'],
    ['192.175.48.1', 'AS112'],
    ['198.18.0.1', 'benchmarks'],
    ['198.19.255.255', 'benchmarks'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::2', 'compatible with 0.0.0.2'],
    ['::127.0.0.1', 'compatible with loopback'],
    ['::10.1.2.3', 'compatible with a private one'],
    ['::ffff:127.0.0.1', 'mapped loopback'],
    ['::ffff:7f00:1', 'mapped loopback in hex'],
    ['::ffff:169.254.169.254', 'mapped link-local'],
    ['::ffff:0:192.168.0.1', 'translated private'],
    ['64:ff9b::127.0.0.1', 'NAT64 of loopback'],
    ['64:ff9b::10.0.0.1', 'NAT64 of a private one'],
    ['64:ff9b::a9fe:a9fe', 'NAT64 of link-local'],
    ['64:ff9b:1::10.0.0.1', 'local NAT64 of a private one'],
    ['64:ff9b:1:7f00:0:100::', 'local NAT64 /48 of loopback'],
    ['64:ff9b:1:808:a:0:808:808', 'local NAT64 /64 of a private one, public at every other length'],
    ['64:ff9b:1:a08:8:808:808:808', 'local NAT64 /48 of a private one, public at every other length'],
    ['64:ff9b:1:80a:8:808:808:808', 'local NAT64 /56 of a private one, public at every other length'],
    ['64:ff9b:1:808:8:808:a08:808', 'local NAT64 /96 of a private one, public at every other length'],
    ['64:ff9b:2:808:8:808:808:808', 'beside the local NAT64 prefix'],
    ['64:ff9b:1::8.8.8.8', 'local NAT64: another prefix length would embed 0.x'],
    ['64:ff9b:2::8.8.8.8', 'outside NAT64 and 2000::/3'],
    ['100::1', 'discard-only'],
    ['2001::1', 'Teredo with server 0.0.0.0'],
    ['2001:0:4136:e378:8000:63bf:f5ff:fffe', 'Teredo of client 10.0.0.1'],
    ['2001:0:7f00:1:8000:63bf:f7f7:f7f7', 'Teredo by a loopback server'],
    ['2001:2::1', 'benchmarks'],
    ['2001:10::1', 'ORCHID'],
    ['2001:20::1', 'ORCHIDv2'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4 of loopback'],
    ['2002:a00:1::1', '6to4 of a private one'],
    ['2002:c0a8:1::1', '6to4 of a private one'],
    ['2620:4f:8000::1', 'AS112'],
    ['3fff::1', 'documentation'],
    ['3fff:fff:ffff::1', 'documentation'],
    ['4000::1', 'not assigned'],
    ['5f00::1', 'SRv6 segments'],
    ['5f00:7f00:1::', 'SRv6 segment with loopback inside'],
    ['fc00::1', 'unique local'],
    ['fd12:3456::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
  ])('%s (%s)', (address) => {
    expect(isPublicAddress(bytes(address))).toBe(false);
  });

  it.each([
    [new Uint8Array()],
    [new Uint8Array([8, 8, 8])],
    [new Uint8Array(5)],
    [new Uint8Array(17)],
    [new Uint8Array(17).fill(0x20)],
  ])('%s is not an address', (odd) => {
    expect(isPublicAddress(odd)).toBe(false);
  });
});

describe('global unicast is public, and what embeds it', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.0.3.1',
    '192.31.197.1',
    '192.52.194.1',
    '192.88.100.1',
    '192.175.49.1',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '3ffe::1',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1:808:8:808:808:808',
    '2002:808:808::1',
    '2001:0:808:808:8000:63bf:f7f7:f7f7',
  ])('%s', (address) => {
    expect(isPublicAddress(bytes(address))).toBe(true);
  });
});

describe('the allow-list', () => {
  const ranges = parseCidrs('127.0.0.0/8, ::1/128,10.1.2.0/23');
  it.each([
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['::2', false],
    ['10.1.3.255', true],
    ['10.1.4.0', false],
    ['128.0.0.1', false],
  ])('%s within it: %s', (address, allowed) => {
    expect(isAllowed(bytes(address), ranges)).toBe(allowed);
  });

  it('a range of IPv6 never contains an IPv4 address', () => {
    expect(isAllowed(bytes('127.0.0.1'), parseCidrs('7f00::/8'))).toBe(false);
  });

  it('adds to what is public and takes nothing away', () => {
    expect(['127.0.0.1', '8.8.8.8', '192.168.0.1'].map((address) => mayDial(bytes(address), ranges))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is empty by default', () => expect(parseCidrs('')).toEqual([]));

  it.each(['127.0.0.1', '10.0.0.0/33', '::/129', 'localhost/8', '10.0.0.0/-1', '1.2.3/8'])(
    '%s is not a range: the error names it',
    (text) => {
      expect(() => parseCidrs(text)).toThrow(text);
    },
  );
});
