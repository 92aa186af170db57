import { once } from 'node:events';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { createServer as createSecureServer, connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { createSecrets } from '../../src/adapters/node/secrets.ts';
import { opened } from '../../src/adapters/outgoing/guard/dialler.ts';
import {
  IdleConnections,
  createWebhookSender,
  type WebhookSenderOptions,
} from '../../src/adapters/outgoing/webhook/webhook-sender.ts';
import { retryAfterSeconds } from '../../src/adapters/outgoing/guard/retry-after.ts';
import { isDelivered } from '../../src/domain/webhooks/delivery.ts';
import { attemptHeaders, signedContent } from '../../src/domain/webhooks/webhook-message.ts';
import type { WebhookRequest, WebhookResponse } from '../../src/domain/ports/webhooks/webhook-sender.ts';
import { AUTHORITY, CERTIFICATE, EXPIRED, KEY, NOT_YET_VALID, SELF_SIGNED } from '../support/certificates.ts';
import { startProxy } from '../support/connect-proxy.ts';
import {
  breakOff,
  bytes,
  drip,
  flood,
  hang,
  reset,
  respond,
  startReceiver,
  verified,
  type Receiver,
} from '../support/receiver.ts';

/** Every name is this machine. */
const addresses = createAddressResolver(() => ['127.0.0.1']);

const openSender = (options: Partial<WebhookSenderOptions> = {}) => {
  const sender = createWebhookSender({
    addresses,
    allowed: parseCidrs('127.0.0.0/8'),
    clock: manualClock(),
    timeoutSeconds: 15,
    ...options,
  });
  const aRequest = (url: string, request: Partial<WebhookRequest> = {}): WebhookRequest => ({
    subscriptionId: 'one',
    askedBy: 'app',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    ...request,
  });
  return {
    send: async (url: string, request?: Partial<WebhookRequest>): Promise<WebhookResponse> => {
      const response = await sender.send(aRequest(url, request), new AbortController().signal);
      if (!response) throw new Error('nobody aborted it');
      return response;
    },
    abortable: (url: string, signal: AbortSignal) => sender.send(aRequest(url), signal),
    close: () => sender.close(),
  };
};

let receiver: Receiver;
let sender: ReturnType<typeof openSender>;
/** A sender of the test's own, in place of the usual one. */
const use = async (options: Partial<WebhookSenderOptions>): Promise<void> => {
  await sender.close();
  sender = openSender(options);
};
beforeEach(async () => {
  receiver = await startReceiver();
  sender = openSender();
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

describe('a delivery', () => {
  it('arrives unchanged, so that the published library accepts it', async () => {
    const body = JSON.stringify({ type: 'ping', data: { text: 'Grüße, 世界 🌍\u0000' } });
    const { webhookSigner, signingSecret } = createSecrets([{ kid: 'k', key: Buffer.alloc(32) }]);
    const secret = signingSecret();
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = webhookSigner(secret)(signedContent('msg_1', timestamp, body));
    const headers = attemptHeaders({ eventId: 'msg_1', timestamp, signature, subscriptionId: 'one', number: 1 });
    await sender.send(`${receiver.url}/hook?shop=1`, { headers, body });
    const request = await receiver.next();
    expect(request).toMatchObject({ method: 'POST', path: '/hook?shop=1', headers });
    expect(request.headers['host']).toBe(`127.0.0.1:${receiver.port}`);
    expect(request.body.equals(Buffer.from(body))).toBe(true);
    expect(verified(request, secret)).toEqual(JSON.parse(body));
    expect(() => verified({ ...request, body: Buffer.from(body.replace('ping', 'pong')) }, secret)).toThrow();
  });

  it('reuses the connection of the delivery before, which serves no other subscription', async () => {
    await sender.send(receiver.url);
    await sender.send(receiver.url);
    expect(receiver.connections()).toBe(1);
    await sender.send(receiver.url, { subscriptionId: 'two' });
    expect(receiver.connections()).toBe(2);
  });

  it('goes to the new URL after a change, and the connection to the old URL closes', async () => {
    await sender.send(receiver.url);
    const other = await startReceiver();
    await sender.send(other.url);
    expect([receiver.connections(), other.connections()]).toEqual([1, 1]);
    await receiver.quiet();
    await sender.send(`${other.url}/elsewhere`);
    expect((await other.next()).path).toBe('/');
    expect((await other.next()).path).toBe('/elsewhere');
    expect(other.connections()).toBe(2);
    await other.close();
  });

  it('does not wait for another: concurrent deliveries have separate connections', async () => {
    receiver.answer(hang, respond(204));
    const stop = new AbortController();
    const hanging = sender.abortable(receiver.url, stop.signal);
    await receiver.next();
    expect(await sender.send(receiver.url)).toMatchObject({ status: 204 });
    stop.abort();
    expect(await hanging).toBeNull();
  });

  it('opens a new connection after the receiver closed the old one', async () => {
    receiver.answer(respond(200, 'bye', { connection: 'close' }));
    expect(await sender.send(receiver.url)).toMatchObject({ status: 200, body: 'bye' });
    expect(await sender.send(receiver.url)).toMatchObject({ status: 200, body: 'bye' });
    expect(receiver.connections()).toBe(2);
  });
});

describe('a response', () => {
  it.each([
    ['NUL and invalid UTF-8', Buffer.from([0x61, 0, 0xff, 0x62]), 'a\ufffdb'],
    ['a character that breaks off at its end', Buffer.from([0x61, 0xc3]), 'a\ufffd'],
    ['a character that the cut splits', Buffer.from(`${'x'.repeat(4095)}é`), 'x'.repeat(4095)],
    ['4 KiB', Buffer.from('x'.repeat(4096)), 'x'.repeat(4096)],
    ['16 KiB', Buffer.from('x'.repeat(16_384)), 'x'.repeat(4096)],
    ['nothing', Buffer.alloc(0), ''],
  ])('with %s is stored as text', async (_what, body, text) => {
    receiver.answer(respond(200, body));
    expect(await sender.send(receiver.url)).toMatchObject({ status: 200, error: null, body: text });
    await sender.send(receiver.url);
    expect(receiver.connections()).toBe(1);
  });

  it('of 1 GiB is cut off after 16 KiB, with its connection, and its status counts', async () => {
    let told: (bytesWritten: number) => void = () => undefined;
    const written = new Promise<number>((resolve) => (told = resolve));
    receiver.answer(flood(told));
    const response = await sender.send(receiver.url);
    expect(response).toMatchObject({ status: 200, error: null, body: 'x'.repeat(4096) });
    expect(isDelivered(response)).toBe(true);
    // The kernels' buffers on both sides took this much; the rest never left the receiver.
    expect(await written).toBeLessThan(2 ** 24);
    await receiver.quiet();
  });

  it.each([
    ['that drips ends with the time of the whole attempt', drip, { status: 200, error: 'timeout' }],
    ['that does not come ends with the time of the attempt', hang, { status: null, error: 'timeout', body: null }],
  ])('%s', async (_what, answer, outcome) => {
    await use({ timeoutSeconds: 3 });
    receiver.answer(answer);
    expect(await sender.send(receiver.url)).toMatchObject({ ...outcome, address: '127.0.0.1' });
    expect(receiver.received).toHaveLength(1);
    await receiver.quiet();
  });

  it.each([
    ['that breaks off keeps its status beside the fault', breakOff(), { status: 200, error: 'connection_closed' }],
    ['is missing when the connection is reset', reset, { status: null, error: 'connection_closed', body: null }],
    ['is missing when the connection just ends', bytes(''), { status: null, error: 'connection_closed' }],
    ['that breaks off in its head', bytes('HTTP/1.1 200 OK\r\nX-'), { status: null, error: 'connection_closed' }],
    ['that is not HTTP', bytes('SSH-2.0-OpenSSH_9.2\r\n'), { status: null, error: 'invalid_response' }],
    ['with a head too large', respond(200, '', { 'x-large': 'x'.repeat(20_000) }), { error: 'invalid_response' }],
    [
      'that switches protocols',
      bytes('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      { error: 'invalid_response' },
    ],
    [
      'with a chunk of no length',
      bytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      { error: 'invalid_response' },
    ],
    [
      'without a length ends with the connection',
      bytes('HTTP/1.1 202 OK\r\n\r\ndone'),
      { status: 202, error: null, body: 'done' },
    ],
    [
      'after early hints is the second one',
      bytes('HTTP/1.1 103 Early\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      { status: 200, error: null, body: 'ok', retryAfterSeconds: null },
    ],
  ])('%s', async (_what, answer, outcome) => {
    receiver.answer(answer);
    expect(await sender.send(receiver.url)).toMatchObject(outcome);
    expect(receiver.received).toHaveLength(1);
    await receiver.quiet();
  });

  const now = Date.UTC(2026, 0, 1);
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Thursday, 01-Jan-26 00:00:10 GMT', 10],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['999999999', null],
    ['2026-01-01T00:00:10Z', null],
    ['Xxx, 99 Foo 2026 GMT', null],
    ['', null],
    [null, null],
  ])('with Retry-After "%s" asks for %s seconds', async (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
    receiver.answer(respond(503, '', header === null ? {} : { 'retry-after': header }));
    expect(await sender.send(receiver.url)).toMatchObject({ status: 503, retryAfterSeconds: seconds });
  });
  it('with a date less than a second away is rounded up to one second', () => {
    const date = Date.UTC(2026, 0, 1, 0, 0, 10);
    expect(retryAfterSeconds(new Date(date).toUTCString(), date - 2001)).toBe(3);
  });
});

describe('a connection', () => {
  it('that is refused', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await sender.send(gone.url)).toMatchObject({
      status: null,
      error: 'connection_failed',
      address: '127.0.0.1',
      body: null,
    });
  });

  it('that takes too long is given up', async () => {
    const { signal } = new AbortController();
    const socket = new Socket();
    await expect(opened(socket, 'connect', signal, 1)).rejects.toMatchObject({ reason: 'connect_timeout' });
    expect(socket.destroyed).toBe(true);
  });

  it('a TLS handshake that gets no answer is a connect time-out, and nothing stays open', async () => {
    await use({ timeoutSeconds: 0.5 });
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const arrived = once(silent, 'connection') as Promise<[Socket]>;
    const { port } = silent.address() as AddressInfo;
    const sending = sender.send(`https://receiver.example.com:${port}/`);
    const [socket] = await arrived;
    const closed = once(socket.resume(), 'close');
    expect(await sending).toMatchObject({ status: null, error: 'connect_timeout', address: '127.0.0.1' });
    await closed;
    silent.close();
  });

  it('that is being opened closes immediately when the attempt is aborted', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const arrived = once(silent, 'connection') as Promise<[Socket]>;
    const stop = new AbortController();
    const sending = sender.abortable(`https://receiver.example.com:${(silent.address() as AddressInfo).port}/`, stop.signal);
    const [socket] = await arrived;
    const closed = once(socket.resume(), 'close');
    stop.abort();
    expect(await sending).toBeNull();
    await closed;
    silent.close();
  });

  it('closes when its attempt is aborted', async () => {
    receiver.answer(hang);
    const stop = new AbortController();
    const sending = sender.abortable(receiver.url, stop.signal);
    await receiver.next();
    stop.abort();
    expect(await sending).toBeNull();
    await receiver.quiet();
  });

  it('that is idle closes with the sender', async () => {
    await sender.send(receiver.url);
    await sender.close();
    await receiver.quiet();
  });

  it('that is idle closes when there are too many idle ones', () => {
    const lineOf = (subscriptionId: string) => ({ subscriptionId });
    const [first, second, third, last] = [lineOf('a'), lineOf('a'), lineOf('a'), lineOf('b')];
    const idle = new IdleConnections(3);
    expect([first, second, third].map((line) => idle.put(line))).toEqual([null, null, null]);
    expect(idle.put(last)).toBe(first);
    // The one that has waited shortest: the others are those that are not needed any more.
    expect(idle.take('a')).toBe(third);
    expect(idle.take('a')).toBe(second);
    expect(idle.take('a')).toBeNull();
    expect(idle.remove(last)).toBe(true);
    expect(idle.remove(last)).toBe(false);
    expect(idle.take('b')).toBeNull();
    expect(idle.size).toBe(0);
  });
});

describe('TLS', () => {
  const tls = { cert: CERTIFICATE, key: KEY };
  const outcome = async (options: Parameters<typeof startReceiver>[0], host = 'receiver.example.com') => {
    const secure = await startReceiver(options);
    const { status, error, address } = await sender.send(`https://${host}:${secure.port}/hook`);
    const { received } = secure;
    await secure.close();
    return { status, error, address, requests: received.length, host: received[0]?.headers['host'] };
  };
  const refused = (error: string) => ({ status: null, error, address: '127.0.0.1', requests: 0 });

  beforeEach(() => use({ authorities: AUTHORITY }));

  it.each(['receiver.example.com', 'RECEIVER.example.com.', '127.0.0.1'])(
    'to %s is verified by the name in the URL',
    async (host) => {
      expect(await outcome({ tls }, host)).toMatchObject({ status: 204, error: null, address: '127.0.0.1', requests: 1 });
    },
  );

  it('refuses a certificate that is its own authority', async () => {
    expect(await outcome({ tls: { cert: SELF_SIGNED, key: KEY } })).toMatchObject(refused('certificate_untrusted'));
  });

  it('refuses an unknown authority', async () => {
    await use({});
    expect(await outcome({ tls })).toMatchObject(refused('certificate_untrusted'));
  });

  it('refuses the certificate of another name', async () => {
    expect(await outcome({ tls }, 'other.example.com')).toMatchObject(refused('certificate_of_another_name'));
  });

  it.each([
    ['an expired certificate', EXPIRED, 'certificate_expired'],
    ['a certificate that is not valid yet', NOT_YET_VALID, 'certificate_not_yet_valid'],
  ])('refuses %s, and says so', async (_title, cert, error) => {
    await use({ authorities: cert });
    expect(await outcome({ tls: { cert, key: KEY } })).toMatchObject(refused(error));
  });

  it('refuses a server without TLS', async () => {
    expect(await outcome({})).toMatchObject(refused('tls_failed'));
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('supports %s', async (version) => {
    expect(await outcome({ tls: { ...tls, minVersion: version, maxVersion: version } })).toMatchObject({ status: 204 });
  });

  it('TLS 1.1 is refused', async () => {
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const old = createSecureServer({ ...tls, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers }).listen(0, '127.0.0.1');
    await once(old, 'listening');
    const { port } = old.address() as AddressInfo;
    // The server does speak TLS 1.1 to clients that take it.
    const lax = connectTls({ port, host: '127.0.0.1', minVersion: 'TLSv1.1', ciphers, ca: AUTHORITY });
    await once(lax, 'secureConnect');
    expect(lax.getProtocol()).toBe('TLSv1.1');
    lax.destroy();
    const failed = once(old, 'tlsClientError');
    expect(await sender.send(`https://receiver.example.com:${port}/`)).toMatchObject({ status: null, error: 'tls_failed' });
    expect((await failed)[0]).toMatchObject({ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' });
    old.close();
  });
});

describe('through a proxy', () => {
  it("uses CONNECT for http and https, lets the proxy resolve names, and sends the proxy's credentials", async () => {
    const proxy = await startProxy();
    const secure = await startReceiver({ tls: { cert: CERTIFICATE, key: KEY } });
    const nobody = {
      resolve: () => {
        throw new Error('a name was looked up here');
      },
    };
    await use({ proxy: proxy.url.replace('//', '//me:p%40ss@'), addresses: nobody, authorities: AUTHORITY });
    const url = `https://receiver.example.com:${secure.port}/hook`;
    expect(await sender.send(url)).toMatchObject({ status: 204, error: null, address: null });
    expect(await sender.send(receiver.url)).toMatchObject({ status: 204, error: null, address: null });
    expect(proxy.asked).toEqual([
      { authority: `receiver.example.com:${secure.port}`, authorization: `Basic ${btoa('me:p@ss')}` },
      { authority: `127.0.0.1:${receiver.port}`, authorization: `Basic ${btoa('me:p@ss')}` },
    ]);
    await secure.close();
    await proxy.close();
  });

  it('requests no literal address that is not allowed', async () => {
    const proxy = await startProxy();
    await use({ proxy: proxy.url });
    for (const url of ['https://10.0.0.1/', 'https://[::1]/', 'https://0xa9fea9fe/', 'http://8.8.8.8/', 'https://localhost/'])
      expect(await sender.send(url), url).toMatchObject({ status: null, error: 'address_not_allowed', address: null });
    expect(proxy.asked).toEqual([]);
    await proxy.close();
  });

  it('fails if the proxy refuses, hangs or is down', async () => {
    const failed = { status: null, error: 'proxy_failed', address: null };
    const proxy = await startProxy(403);
    await use({ proxy: proxy.url });
    expect(await sender.send(receiver.url)).toMatchObject(failed);
    await proxy.close();
    expect(await sender.send(receiver.url)).toMatchObject(failed);
    const silent = await startProxy(null);
    await use({ proxy: silent.url, timeoutSeconds: 0.5 });
    expect(await sender.send(receiver.url)).toMatchObject(failed);
    await silent.close();
    expect(receiver.connections()).toBe(0);
  });
});
