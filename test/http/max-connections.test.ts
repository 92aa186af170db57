import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openApp } from '../support/app.ts';
import type { OpenApp } from '../support/app.ts';

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
