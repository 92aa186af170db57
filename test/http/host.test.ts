import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { clientAddress, storeDomain, trustsProxies } from '../../src/adapters/http/serving/listener/host.ts';

const request = (headers: Record<string, string[]>, remoteAddress = '203.0.113.9') => ({
  headersDistinct: headers,
  socket: { remoteAddress },
});
const nobody = trustsProxies([]);
const proxies = trustsProxies(['10.0.0.0/8', '::1', 'fd00::/8']);
const domain = (text: string) => ({ kind: 'domain', domain: text });

describe("the request's host, lower-cased, port stripped", () => {
  it.each([
    ['shop.example', domain('shop.example')],
    ['Shop.EXAMPLE:4000', domain('shop.example')],
    ['localhost:4000', domain('localhost')],
    ['localhost:', domain('localhost')],
    [' shop.example ', domain('shop.example')],
    ['127.0.0.1:4000', domain('127.0.0.1')],
    ['[::1]:4000', domain('[::1]')],
    ['[0:0:0:0:0:0:0:1]', domain('[::1]')],
    ['[2001:DB8::A]', domain('[2001:db8::a]')],
    ['xn--bcher-kva.example', domain('xn--bcher-kva.example')],
    ['', { kind: 'unknown' }],
    [':4000', { kind: 'unknown' }],
    ['::1', { kind: 'unknown' }],
    ['[::1', { kind: 'unknown' }],
    ['[::g]', { kind: 'unknown' }],
    ['shop.example:port', { kind: 'unknown' }],
    ['shop.example:1:2', { kind: 'unknown' }],
    ['shop.example/path', { kind: 'unknown' }],
    ['user@shop.example', { kind: 'unknown' }],
    ['shop..example', { kind: 'unknown' }],
    ['shop.example.', domain('shop.example')],
    ['Shop.Example.:4000', domain('shop.example')],
    ['localhost.', domain('localhost')],
    [`${'a'.repeat(253)}.`, domain('a'.repeat(253))],
    ['shop.example..', { kind: 'unknown' }],
    ['.', { kind: 'unknown' }],
    ['127.0.0.1.', domain('127.0.0.1')],
    ['b\u00fccher.example', { kind: 'unknown' }],
    ['shop.example\0', { kind: 'unknown' }],
    ['a'.repeat(254), { kind: 'unknown' }],
    [`${'a'.repeat(254)}.`, { kind: 'unknown' }],
    ['a-'.repeat(50_000), { kind: 'unknown' }],
  ])('%j', (host, expected) => {
    expect(storeDomain(request({ host: [host] }), nobody)).toEqual(expected);
  });

  it('a missing Host is an unknown store', () => {
    expect(storeDomain(request({}), nobody)).toEqual({ kind: 'unknown' });
  });

  it.each([[['a.example', 'b.example']], [['a.example', 'a.example']]])('two Host headers %j are repeated', (host) => {
    expect(storeDomain(request({ host }), nobody)).toEqual({ kind: 'repeated' });
  });

  it('two Host headers are seen on a real connection', async () => {
    const server = createServer((req, res) => res.end(storeDomain(req, nobody).kind)).listen(0, '127.0.0.1');
    const answer = await new Promise<string>((resolve, reject) => {
      server.once('listening', () => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        let text = '';
        socket
          .on('data', (chunk) => (text += chunk.toString()))
          .on('end', () => {
            resolve(text);
          })
          .on('error', reject);
        socket.write('GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n');
      });
    });
    server.close();
    expect(answer).toMatch(/repeated/);
  });
});

describe('X-Forwarded-Host counts only from a proxy listed in TRUSTED_PROXIES', () => {
  it.each([
    ['203.0.113.9', ['shop.example'], domain('inner.example')],
    ['10.1.2.3', ['shop.example'], domain('shop.example')],
    ['::ffff:10.1.2.3', ['Shop.Example:443'], domain('shop.example')],
    ['::ffff:11.1.2.3', ['shop.example'], domain('inner.example')],
    ['::1', ['shop.example'], domain('shop.example')],
    ['fd12::5', ['shop.example, second.example'], domain('shop.example')],
    ['10.1.2.3', ['shop.example', 'other.example'], { kind: 'repeated' }],
    ['203.0.113.9', ['shop.example', 'other.example'], domain('inner.example')],
    ['10.1.2.3', [''], { kind: 'unknown' }],
    ['10.1.2.3', ['<script>'], { kind: 'unknown' }],
    ['', ['shop.example'], domain('inner.example')],
  ])('from %s: %j', (peer, forwarded, expected) => {
    const headers = { host: ['inner.example'], 'x-forwarded-host': forwarded };
    expect(storeDomain(request(headers, peer), proxies)).toEqual(expected);
  });

  it('without the header, Host counts', () => {
    expect(storeDomain(request({ host: ['shop.example'] }, '10.1.2.3'), proxies)).toEqual(domain('shop.example'));
  });

  it.each(['10.0.0.0/33', 'proxy.example', '10.0.0', ''])('%j is not a proxy', (entry) => {
    expect(() => trustsProxies([entry])).toThrow();
  });
});

describe("the caller's address", () => {
  it.each([
    ['203.0.113.9', [], '203.0.113.9'],
    ['203.0.113.9', ['198.51.100.1'], '203.0.113.9'],
    ['::ffff:203.0.113.9', [], '203.0.113.9'],
    ['10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['10.0.0.1', ['1.1.1.1, 198.51.100.1'], '198.51.100.1'],
    ['10.0.0.1', ['1.1.1.1, 198.51.100.1, 10.0.0.2'], '198.51.100.1'],
    ['10.0.0.1', ['1.1.1.1', '198.51.100.1, 10.0.0.2'], '198.51.100.1'],
    ['10.0.0.1', ['nonsense'], '10.0.0.1'],
    ['10.0.0.1', [], '10.0.0.1'],
    ['10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
  ])('of peer %s with X-Forwarded-For %j is %s', (peer, forwarded, expected) => {
    expect(clientAddress(request({ 'x-forwarded-for': forwarded }, peer), proxies)).toBe(expected);
  });
});
