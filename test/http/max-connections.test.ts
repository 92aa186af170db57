import { once } from 'node:events';
import { connect, Server, Socket } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { limitPerAddress } from '../../src/adapters/http/serving/listener/address-share.ts';
import { openApp, type OpenApp } from '../support/app.ts';

let server: OpenApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await openApp({ MAX_CONNECTIONS: '2' });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

it('one connection more than MAX_CONNECTIONS is closed and counted, and the other listener still answers', async () => {
  const { hostname, port } = new URL(server.url);
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    socket.resume();
    await once(socket, 'connect');
  }
  await vi.waitFor(() => expect(sockets.map(({ closed }) => closed)).toEqual([false, false, true]), { timeout: 20_000 });
  const { text } = await request(server.adminUrl).get('/metrics');
  expect(text).toContain('tenon_http_connections_refused_total{listener="public"} 1');
  expect(text).not.toContain('tenon_http_connections_refused_total{listener="admin"}');
});

/** Opens this many connections from one address of this machine; gives those that stay open. */
const opened = async (url: string, from: string, count: number): Promise<Socket[]> => {
  const { hostname, port } = new URL(url);
  const made = Array.from({ length: count }, () =>
    connect({ port: Number(port), host: hostname, localAddress: from }).on('error', () => undefined),
  );
  sockets.push(...made);
  await Promise.all(made.map((socket) => once(socket.resume(), 'connect')));
  return made;
};
const openOf = (made: readonly Socket[]) => expect.poll(() => made.filter(({ closed }) => !closed).length, { timeout: 20_000 });

it('one address holds a quarter of the connections at most, a trusted proxy as many as there are', async () => {
  const shared = await openApp({ MAX_CONNECTIONS: '120', TRUSTED_PROXIES: '127.0.0.8' });
  try {
    const greedy = await opened(shared.url, '127.0.0.7', 60);
    await openOf(greedy).toBe(30);
    const proxied = await opened(shared.url, '127.0.0.8', 60);
    const [customer] = await opened(shared.url, '127.0.0.9', 1);
    customer?.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = (await once(customer ?? new Socket(), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await openOf(proxied).toBe(60);
    const { text } = await request(shared.adminUrl).get('/metrics');
    expect(text).toContain('tenon_http_connections_refused_total{listener="public"} 30');
    // A place is free again once a connection of the address has closed.
    for (const socket of greedy) socket.destroy();
    await expect
      .poll(async () => {
        const [again] = await opened(shared.url, '127.0.0.7', 1);
        again?.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        return again && Promise.race([once(again, 'data').then(() => 'answered'), once(again, 'close').then(() => 'closed')]);
      })
      .toBe('answered');
  } finally {
    for (const socket of sockets) socket.destroy();
    await shared.close();
  }
});

it('the addresses of an IPv6 network share, and what closes is forgotten', () => {
  const server = new Server();
  let refused = 0;
  limitPerAddress(server, { most: 2, trusts: () => false, onRefused: () => (refused += 1) });
  const dial = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const held = [dial('2001:db8::1'), dial('2001:db8::2'), dial('::ffff:10.0.0.1'), dial('10.0.0.1')];
  expect(held.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  expect([dial('2001:db8::3').destroyed, dial('10.0.0.1').destroyed, dial('2001:db8:0:1::1').destroyed]).toEqual([
    true,
    true,
    false,
  ]);
  expect(refused).toBe(2);
  held[0]?.emit('close');
  expect([dial('2001:db8::4').destroyed, dial('2001:db8::5').destroyed]).toEqual([false, true]);
});
