import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { adminRoutes } from '../../src/adapters/http/routes.ts';
import { OWNER } from '../../src/domain/identity/operator.ts';
import { healthRoutes } from '../../src/adapters/http/pages/health.ts';
import { tokenRoute } from '../../src/adapters/http/identity/tokens.ts';
import { admitApps } from '../../src/adapters/http/serving/admit/admit-app.ts';
import { bearerCredential } from '../../src/adapters/http/serving/admit/app-admission.ts';
import { FailedTokens } from '../../src/adapters/http/serving/admit/failed-tokens.ts';
import { trustsProxies } from '../../src/adapters/http/serving/listener/host.ts';
import { listen, type ListenOptions, type Listener } from '../../src/adapters/http/serving/listener/listener.ts';
import { NO_CALLER, reject } from '../../src/adapters/http/serving/admit/admit.ts';
import type { Admit } from '../../src/adapters/http/serving/context.ts';
import { NO_TOKEN } from '../../src/adapters/http/serving/reply/refusals.ts';
import { memoryApplication, memoryHttpApp } from '../support/http-app.ts';
import { head } from '../support/raw.ts';

const TOKEN = 'Authorization: Bearer good';
const log = pino({ level: 'silent' });

const listeners: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

/** Accepts one token. */
const admit: Admit = async (context) =>
  context.request.headers.authorization === 'Bearer good' ? { ...NO_CALLER, actor: OWNER } : reject(context, NO_TOKEN);

/** The admin routes, and the token route beside them, on memory. */
const open = async (options: Partial<ListenOptions> = {}) => {
  const app = memoryApplication();
  const others = admitApps({
    credential: bearerCredential(app),
    failures: new FailedTokens({ policy: { limit: 100, windowSeconds: 60 } }),
    trusts: trustsProxies([]),
  });
  const http = memoryHttpApp({
    application: app,
    log,
    admit: (context) => (context.route.access.kind === 'admin' ? admit(context) : others(context)),
    routes: [...adminRoutes, tokenRoute, ...healthRoutes('problem')],
    errors: 'problem',
  });
  const listener = await listen(http, {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs: 30_000,
    maxConnections: 100,
    trusts: () => false,
    onConnectionRefused: () => undefined,
    log,
    errors: 'problem',
    portSetting: 'ADMIN_PORT',
    hostSetting: 'ADMIN_HOST',
    ...options,
  });
  listeners.push(listener);
  const store = await app.createStore({ domain: 'shop.example', currency: 'EUR' });
  return { url: listener.url, importPath: `/admin/stores/${store.ok ? store.value.id : ''}/products/import` };
};

/** A connection, and all that has come over it so far. */
const dial = async (url: string) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const heard = { text: '', isClosed: false };
  socket.on('data', (chunk) => (heard.text += chunk.toString('latin1')));
  socket.on('close', () => (heard.isClosed = true));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const hears = (pattern: RegExp) => vi.waitFor(() => expect(heard.text).toMatch(pattern), { timeout: 20_000 });
  return { socket, heard, hears };
};

const post = (path: string, ...more: string[]) => head(`POST ${path} HTTP/1.1`, 'Host: shop.example', ...more);
const JSON_TYPE = 'Content-Type: application/json';
const EXPECT = 'Expect: 100-continue';

describe('Expect: 100-continue', () => {
  it.each([
    ['401 for the credentials', 401, '/admin/stores', [JSON_TYPE, 'Content-Length: 9']],
    ['415 for the type', 415, '/admin/stores', [TOKEN, 'Content-Type: text/plain', 'Content-Length: 9']],
    ['413 for the length', 413, '/admin/stores', [TOKEN, JSON_TYPE, 'Content-Length: 9000']],
    ['404 for the path', 404, '/nothing', [TOKEN, JSON_TYPE, 'Content-Length: 9']],
    ['405 for the method', 405, '/healthz', [TOKEN, JSON_TYPE, 'Content-Length: 9']],
    ['401 for the length of a token request', 401, '/apps/token', ['Content-Length: 900000']],
    [
      '404 for the store of an import',
      404,
      '/admin/stores/x/products/import',
      [TOKEN, 'Content-Type: text/csv', 'Content-Length: 9'],
    ],
  ])('%s is sent without 100 Continue, and the connection closes', async (_title, status, path, lines) => {
    const { url } = await open();
    const { socket, heard, hears } = await dial(url);
    socket.write(post(path, ...lines, EXPECT));
    await hears(new RegExp(`^HTTP/1.1 ${status} `));
    expect(heard.text).toMatch(/\r\nConnection: close\r\n/);
    await vi.waitFor(() => expect(heard.isClosed).toBe(true), { timeout: 20_000 });
    expect(heard.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('100 Continue is sent before the answer to an accepted JSON body and an accepted import', async () => {
    const { url, importPath } = await open();
    for (const [path, type, body, status] of [
      ['/admin/stores', 'application/json', '{"domain":"other.example"}', 201],
      [importPath, 'application/x-ndjson', '{"name":"A","slug":"a"}\n', 200],
    ] as const) {
      const { socket, hears } = await dial(url);
      socket.write(post(path, TOKEN, `Content-Type: ${type}`, `Content-Length: ${body.length}`, EXPECT));
      await hears(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
      socket.write(body);
      await hears(new RegExp(`^HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 ${status} `));
    }
  });

  it('the connection serves another request after a body that was announced with Expect', async () => {
    const { url } = await open();
    const { socket, hears } = await dial(url);
    socket.write(post('/admin/stores', TOKEN, JSON_TYPE, 'Content-Length: 2', EXPECT));
    await hears(/100 Continue/);
    socket.write(`{}${head('GET /healthz HTTP/1.1', 'Host: shop.example')}`);
    await hears(/HTTP\/1\.1 400 [^]*HTTP\/1\.1 200 /);
  });
});

describe('the time limit for a request to arrive', () => {
  it('applies to every route except imports: 408 for a slow body and for an import without credentials, while another import continues', async () => {
    const { url, importPath } = await open({ requestTimeoutMs: 500 });
    const csv = 'Content-Type: text/csv';
    const chunked = 'Transfer-Encoding: chunked';
    const allowed = await dial(url);
    allowed.socket.write(post(importPath, TOKEN, csv, chunked));
    const slow = await dial(url);
    slow.socket.write(post('/admin/stores', TOKEN, JSON_TYPE, chunked));
    const stranger = await dial(url);
    stranger.socket.write(post(importPath, csv, chunked));
    await slow.hears(/^HTTP\/1\.1 408 /);
    await stranger.hears(/^HTTP\/1\.1 401 /);
    await vi.waitFor(() => expect(stranger.heard.isClosed).toBe(true), { timeout: 20_000 });
    // The import began first, so it is past its time by now: Node looks at all of them at once.
    expect(allowed.heard).toEqual({ text: '', isClosed: false });
    const body = 'Handle,Title\na,A\n';
    allowed.socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    await allowed.hears(/^HTTP\/1\.1 200 [^]*"read":1/);
    // And its connection has the usual bound again.
    allowed.socket.write(post('/admin/stores', TOKEN, JSON_TYPE, chunked));
    await allowed.hears(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 /);
  });
});

describe('the number of connections', () => {
  it('is limited: one more is closed immediately and counted, and another is accepted after one closes', async () => {
    let refused = 0;
    const { url } = await open({ maxConnections: 2, onConnectionRefused: () => (refused += 1) });
    const [first, second] = [await dial(url), await dial(url)];
    const third = await dial(url);
    await vi.waitFor(() => expect(third.heard.isClosed).toBe(true), { timeout: 20_000 });
    expect([refused, third.heard.text]).toEqual([1, '']);
    for (const { socket, hears } of [first, second]) {
      socket.write(head('GET /healthz HTTP/1.1', 'Host: shop.example'));
      await hears(/^HTTP\/1\.1 200 /);
    }
    first.socket.end();
    await once(first.socket, 'close');
    await vi.waitFor(
      async () => {
        const fourth = await dial(url);
        fourth.socket.write(head('GET /healthz HTTP/1.1', 'Host: shop.example'));
        await vi.waitFor(() => expect(fourth.heard.text !== '' || fourth.heard.isClosed).toBe(true), { timeout: 20_000 });
        expect(fourth.heard.text).toMatch(/^HTTP\/1\.1 200 /);
      },
      { timeout: 40_000 },
    );
  });
});

/** Connects ten times, asks on each, and wakes the thread that opened it; then posts the status line of each answer, or its error. */
const CALLERS = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, flag } } = require('node:worker_threads');
const ask = () => new Promise((resolve) => {
  let answer = '';
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /healthz HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    if (Atomics.add(flag, 0, 1) === 9) Atomics.notify(flag, 0);
  });
  socket.on('data', (data) => (answer += data)).on('error', (error) => resolve(error.code));
  socket.on('close', () => resolve(answer.split('\\r\\n')[0]));
});
Promise.all(Array.from({ length: 10 }, ask)).then((answers) => parentPort.postMessage(answers));
`;

describe('the end of a listener', () => {
  it('answers the connections that the system has opened and the process has not accepted yet', async () => {
    const { url } = await open();
    const [listener] = listeners;
    const port = Number(new URL(url).port);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const callers = new Worker(CALLERS, { eval: true, workerData: { port, flag } });
    const answers = once(callers, 'message');
    await once(callers, 'online');
    // Nothing is accepted while this thread waits.
    for (let opened = 0; opened < 10; opened = Atomics.load(flag, 0)) Atomics.wait(flag, 0, opened);
    await listener?.close(5_000);
    expect((await answers)[0]).toEqual(Array.from({ length: 10 }, () => 'HTTP/1.1 200 OK'));
  });
});
