import { lookup } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import {
  createAddressResolver,
  type AddressResolverOptions,
  type NodeAddressResolver,
} from '../../../src/adapters/node/names/address-resolver.ts';
import { parseNameServers } from '../../../src/adapters/node/names/name-queries.ts';
import { NXDOMAIN, startNameServer, type Answering, type NameServer } from '../../support/name-server.ts';

const MINUTE = 60_000;

let folder: string;
let server: NameServer;
let resolvers: NodeAddressResolver[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-names-'));
  server = await startNameServer();
  resolvers = [];
});
afterEach(async () => {
  for (const resolver of resolvers) resolver.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const open = (options: AddressResolverOptions = {}) => {
  const resolver = createAddressResolver({
    servers: [server.address],
    timeoutMilliseconds: MINUTE,
    hostsPath: join(folder, 'hosts'),
    lookMilliseconds: 0,
    ...options,
  });
  resolvers.push(resolver);
  return resolver;
};
const resolve = async (resolver: NodeAddressResolver, name: string, askedBy = 'app') => {
  const found = await resolver.resolve(name, askedBy);
  return found === 'busy' ? found : found.map((address) => [...address].join('.'));
};
/** Answers these names with these IPv4 addresses, and no others. */
const known =
  (names: Record<string, string>): Answering =>
  ({ name, type }) => {
    const address = names[name];
    if (address === undefined) return NXDOMAIN;
    return { addresses: type === 'A' ? [address] : [] };
  };
const asked = () => server.asked.filter(({ type }) => type === 'A').map(({ name }) => name);

it('names of this machine and of /etc/hosts are not asked for, and the file is read again when it changes', async () => {
  const resolver = open();
  await writeFile(join(folder, 'hosts'), '127.0.0.9 shop.example.com\n');
  expect(await resolve(resolver, 'localhost')).toHaveLength(2);
  expect(await resolve(resolver, 'first.localhost')).toHaveLength(2);
  expect(await resolve(resolver, 'Shop.example.com')).toEqual(['127.0.0.9']);
  await writeFile(join(folder, 'hosts'), '127.0.0.10 shop.example.com # moved\n');
  expect(await resolve(resolver, 'shop.example.com')).toEqual(['127.0.0.10']);
  expect(server.asked).toEqual([]);
});

it('IPv4 and IPv6 take turns', async () => {
  server.answer(({ type }) => ({ addresses: type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1'] }));
  expect(await resolve(open(), 'two.example.com')).toEqual(['192.0.2.1', '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1', '192.0.2.2']);
});

it('follows aliases', async () => {
  server.answer(({ type }) => ({ alias: 'real.example.net', addresses: type === 'A' ? ['192.0.2.1'] : [] }));
  expect(await resolve(open(), 'alias.example.com')).toEqual(['192.0.2.1']);
});

it('asks over TCP for an answer that was cut', async () => {
  const many = Array.from({ length: 60 }, (_, n) => `192.0.2.${n}`);
  server.answer(({ type }) => ({ isCut: true, addresses: type === 'A' ? many : [] }));
  expect(await resolve(open(), 'many.example.com')).toEqual(many);
  expect(server.asked.some(({ over }) => over === 'tcp')).toBe(true);
});

it('a name has the addresses that came in time, where the name server ignores questions for the other family', async () => {
  server.answer(({ type }) => (type === 'A' ? { addresses: ['192.0.2.1'] } : 'silence'));
  expect(await resolve(open({ timeoutMilliseconds: 3_000 }), 'half.example.com')).toEqual(['192.0.2.1']);
});

it.each([
  ['is silent', 'silence' as const],
  ['fails', { code: 2 }],
  ['refuses', { code: 5 }],
])('asks the next name server when one %s', async (_, answer) => {
  const second = await startNameServer(known({ 'shop.example.com': '192.0.2.1' }));
  server.answer(() => answer);
  try {
    expect(await resolve(open({ servers: [server.address, second.address] }), 'shop.example.com')).toEqual(['192.0.2.1']);
  } finally {
    await second.close();
  }
});

it('a name that no server knows is not asked for again at once; an unanswered one is counted as late', async () => {
  const resolver = open();
  expect(await resolve(resolver, 'nowhere.example.com')).toEqual([]);
  expect(await resolve(resolver, 'nowhere.example.com', 'other')).toEqual([]);
  expect(asked()).toEqual(['nowhere.example.com']);
  server.answer(() => 'silence');
  expect(await resolve(resolver, 'slow.example.com')).toEqual([]);
  server.answer(() => ({ code: 2 }));
  expect(await resolve(resolver, 'broken.example.com')).toEqual([]);
  const { ended } = resolver.figures();
  expect(ended).toEqual({ found: 0, not_found: 1, failed: 1, timed_out: 1, busy: 0 });
});

it('a name that was unknown is asked for again some seconds later', async () => {
  const resolver = open();
  expect(await resolve(resolver, 'shop.example.com')).toEqual([]);
  server.answer(known({ 'shop.example.com': '192.0.2.1' }));
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_000);
  try {
    await expect.poll(() => resolve(resolver, 'shop.example.com')).toEqual(['192.0.2.1']);
  } finally {
    clock.mockRestore();
  }
});

it('a look-up ends at its deadline: its name server is not asked again', async () => {
  server.answer(() => 'silence');
  expect(await resolve(open({ timeoutMilliseconds: 100 }), 'slow.example.com')).toEqual([]);
  expect(server.asked.map(({ type }) => type).toSorted()).toEqual(['A', 'AAAA']);
});

it('a name that several ask for at once is looked up once', async () => {
  server.answer(known({ 'shop.example.com': '192.0.2.1' }));
  // All wait for one reading of the hosts file, so none comes after the answer.
  const resolver = open({ lookMilliseconds: MINUTE });
  await Promise.all(['app', 'other', 'app'].map((askedBy) => resolve(resolver, 'shop.example.com', askedBy)));
  expect(asked()).toEqual(['shop.example.com']);
  expect(resolver.figures()).toMatchObject({ open: 0, waiting: 0, ended: { found: 1 } });
});

it('a name that waits in the share of one asker is looked up at once for another', async () => {
  server.answer((question) =>
    question.name.startsWith('slow') ? 'silence' : known({ 'shop.example.com': '192.0.2.1' })(question),
  );
  const resolver = open();
  const slow = [1, 2, 3, 4].map((n) => resolve(resolver, `slow${n}.example.com`, 'flood'));
  await expect.poll(() => resolver.figures()).toMatchObject({ open: 4, waiting: 0 });
  const waiting = resolve(resolver, 'shop.example.com', 'flood');
  await expect.poll(() => resolver.figures()).toMatchObject({ open: 4, waiting: 1 });
  expect(await resolve(resolver, 'shop.example.com', 'other')).toEqual(['192.0.2.1']);
  resolver.close();
  expect(await waiting).toBe('busy');
  expect(await Promise.all(slow)).toEqual([[], [], [], []]);
});

it('while hundreds of names get no answer, the system resolves those of our own servers', async () => {
  server.answer(() => 'silence');
  const resolver = open();
  const slow = Array.from({ length: 400 }, (_, n) => resolve(resolver, `slow${n}.example.com`, `app ${n % 100}`));
  await expect.poll(() => resolver.figures()).toMatchObject({ open: 256, waiting: 144 });
  expect((await lookup('localhost')).address).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(resolver.figures()).toMatchObject({ open: 256, waiting: 144 });
  resolver.close();
  await Promise.all(slow);
});

it.each(['', 'ns.example.com', '10.0.0.2,', '10.0.0.2:99999999', '10.0.0.2 10.0.0.3'])('NAME_SERVERS cannot be %j', (text) => {
  expect(() => parseNameServers(text)).toThrow();
});

it('NAME_SERVERS are addresses, with or without a port', () => {
  expect(parseNameServers('10.0.0.2, 10.0.0.3:5353,[fd00::2]:5353')).toEqual(['10.0.0.2', '10.0.0.3:5353', '[fd00::2]:5353']);
});
