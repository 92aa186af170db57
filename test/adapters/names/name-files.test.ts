import { describe, expect, it } from 'vitest';

import { completions, parseHosts, parseSearchRules } from '../../../src/adapters/node/names/name-files.ts';

it('hosts(5): several names, several addresses, comments, zones and other lines', () => {
  const found = parseHosts(`
127.0.0.1   localhost
10.0.0.7    Shop.Example.com shop   # ours
fd00::7%eth0 shop.example.com
# 10.0.0.8  gone.example.com
nonsense    gone.example.com
`);
  expect([...found.keys()]).toEqual(['localhost', 'shop.example.com', 'shop']);
  expect(found.get('shop.example.com')).toEqual([
    Uint8Array.of(10, 0, 0, 7),
    Uint8Array.of(0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7),
  ]);
});

describe('resolv.conf(5)', () => {
  it.each([
    ['nameserver 10.0.0.2', { domains: ['corp.example'], ndots: 1 }],
    ['search .', { domains: [], ndots: 1 }],
    ['domain a.example\nsearch b.example c.example.', { domains: ['b.example', 'c.example'], ndots: 1 }],
    ['search b.example\ndomain A.example', { domains: ['a.example'], ndots: 1 }],
    ['options timeout:1 ndots:5 attempts:2 # ndots:7', { domains: ['corp.example'], ndots: 5 }],
    ['options ndots:99', { domains: ['corp.example'], ndots: 15 }],
    ['; search b.example', { domains: ['corp.example'], ndots: 1 }],
  ])('%j', (text, rules) => {
    expect(parseSearchRules(text, 'node1.corp.example')).toEqual(rules);
  });

  it('a machine without a domain completes no name', () => {
    expect(parseSearchRules('', 'node1')).toEqual({ domains: [], ndots: 1 });
  });
});

it.each([
  ['hooks.example.com', 1, ['hooks.example.com', 'hooks.example.com.a.example', 'hooks.example.com.b.example']],
  ['orders.shop', 5, ['orders.shop.a.example', 'orders.shop.b.example', 'orders.shop']],
  ['a.b.c.d.e.f', 5, ['a.b.c.d.e.f', 'a.b.c.d.e.f.a.example', 'a.b.c.d.e.f.b.example']],
])('%s with ndots %i is looked up as %j', (name, ndots, names) => {
  expect(completions(name, { domains: ['a.example', 'b.example'], ndots })).toEqual(names);
});
