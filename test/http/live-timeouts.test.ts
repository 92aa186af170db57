import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

import { createLiveChannel } from '../memory/live-channel.ts';
import { Raw } from '../../src/adapters/http/answer.ts';
import { JudgedParts } from '../../src/adapters/http/judged-parts.ts';
import { createLiveReaders } from '../../src/adapters/http/live/live-readers.ts';
import { route } from '../../src/adapters/http/route.ts';
import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { liveRoutes } from '../../src/adapters/http/insight/live.ts';
import { listen, type Listener } from '../../src/adapters/http/serving/listener/listener.ts';
import { ok } from '../../src/domain/result.ts';
import { openEventStream } from '../support/event-stream.ts';
import { memoryApplication, memoryHttpApp, RESOURCES } from '../support/http-app.ts';

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

const open = async (routes: readonly Route[], more: Parameters<typeof memoryHttpApp>[0] | object = {}): Promise<string> => {
  const listener = await listen(memoryHttpApp({ routes, ...more }), {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs: 100,
    maxConnections: 10,
    trusts: () => false,
    onConnectionRefused: () => undefined,
    log: pino({ level: 'silent' }),
    errors: 'problem',
    portSetting: 'ADMIN_PORT',
    hostSetting: 'ADMIN_HOST',
  });
  listeners.push(listener);
  return listener.url;
};

it('the time that a request may take to arrive does not cut a stream, which gets heartbeats', async () => {
  const application = memoryApplication();
  const store = await application.createStore({ domain: 'shop.example', currency: 'EUR' });
  const find = () => Promise.resolve({ id: '', domain: 'shop.example' });
  const live = createLiveReaders({ channel: createLiveChannel().node(), find, heartbeatMs: 500 });
  const url = await open(liveRoutes, { application, resources: { ...RESOURCES, live } });
  const stream = await openEventStream(`${url}/admin/stores/${store.ok ? store.value.id : ''}/live`, {});
  // The listener looks once a second for requests that take too long.
  await expect.poll(() => stream.comments.filter((comment) => comment === ': heartbeat').length).toBeGreaterThan(5);
  live.close();
  expect(await stream.ended).toBe('ended');
});

it('a reader to which nothing could be written for its time is disconnected', async () => {
  const text = 'x'.repeat(65_536);
  let closed: () => void = () => undefined;
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const endless = async function* (): AsyncGenerator<string[]> {
    try {
      for (;;) yield await Promise.resolve([text]);
    } finally {
      closed();
    }
  };
  const stuck = route
    .get('/stuck', 'stick')
    .public('Test')
    .summary('Stuck')
    .returns(200, z.string(), 'text/event-stream')
    .handle((_app, { context: { renewal } }) =>
      Promise.resolve(ok(new Raw(new JudgedParts(endless(), { renewal }), 'text/event-stream', { stallSeconds: 1 }))),
    );
  const url = new URL(await open([stuck]));
  const socket = connect(Number(url.port), url.hostname).pause();
  socket.on('error', () => undefined);
  socket.write('GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await isClosed;
  socket.destroy();
});
