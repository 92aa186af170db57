import { connect } from 'node:net';
import express from 'express';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { problem } from '../../src/adapters/http/openapi/errors.ts';
import { listen, type Listener } from '../../src/adapters/http/serving/listener/listener.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { head, raw } from '../support/raw.ts';

const LIST = 'GET /apps/catalog/products HTTP/1.1';
const HOST = 'Host: shop.example';
const REQUEST_ID = /\r\nX-Request-Id: ([0-9a-f-]{36})\r\n/;
const chunked = head('POST /apps/token HTTP/1.1', HOST, 'Transfer-Encoding: chunked');

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid',
  408: 'request_timeout',
  413: 'payload_too_large',
  417: 'expectation_failed',
  431: 'headers_too_large',
};

const expectRefusal = (answer: string, status: number): void => {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} [A-Z]`));
  expect(answer).toMatch(REQUEST_ID);
  expect(answer).toContain('\r\nConnection: close\r\n');
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  const [, body = ''] = answer.split('\r\n\r\n');
  expect(answer).toContain(`\r\nContent-Length: ${String(body.length)}\r\n`);
  const said = expect.any(String) as string;
  const code = CODES[status] ?? '';
  if (answer.includes('application/problem+json')) {
    expect(problem.safeParse(JSON.parse(body))).toMatchObject({ success: true, data: { status, detail: said, code } });
  } else expect(JSON.parse(body)).toEqual({ error: said, ...(status !== 400 && { code }) });
};

describe('the answer to a request that cannot be parsed has X-Request-Id, says why and closes the connection', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(async () => {
    await server.close();
  });

  it.each([
    ['400: no request line', 400, '\x16\x03\x01\x02\r\n\r\n'],
    ['400: an unknown version', 400, head('GET / HTTP/7.7', HOST)],
    ['400: a header without a colon', 400, head(LIST, HOST, 'nothing')],
    ['400: a length that is not a number', 400, head(LIST, HOST, 'Content-Length: x')],
    ['400: both lengths', 400, head('POST /apps/token HTTP/1.1', HOST, 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['400: an absolute target with half an IPv6 address', 400, head('GET http://[/ HTTP/1.1', HOST)],
    ['400: an absolute target without a host', 400, head('GET http:// HTTP/1.1', HOST)],
    ['400: an https target with half an IPv6 address', 400, head('GET https://[::1 HTTP/1.1', HOST)],
    ['400: a target of another scheme', 400, head('GET ftp://shop.example/apps/catalog/products HTTP/1.1', HOST)],
    ['400: a target with a port that is not one', 400, head('GET http://shop.example:99999/ HTTP/1.1', HOST)],
    ['417: an expectation that is not known', 417, head(LIST, HOST, 'Expect: 200-maybe')],
    ['417: an expectation before a body', 417, head('POST /apps/token HTTP/1.1', HOST, 'Expect: tea', 'Content-Length: 5')],
    ['431: headers over 16 KB', 431, head(LIST, HOST, `X: ${'y'.repeat(20_000)}`)],
    ['431: headers of 1 MB, which the sender continues to write', 431, head(LIST, HOST, `X: ${'y'.repeat(1_000_000)}`)],
  ])('%s', async (_title, status, bytes) => {
    expectRefusal(await raw(server.url, bytes), status);
    const admins = await raw(server.adminUrl, bytes);
    expectRefusal(admins, status);
    expect(admins).toContain('application/problem+json');
  });

  it.each([
    ['413: chunk extensions over 16 KB', 413, `1;${'x'.repeat(20_000)}\r\n`],
    ['400: a chunk without a size', 400, '5\r\nhello\r\nzz\r\n'],
  ])('%s, during a body', async (_title, status, rest) => {
    expectRefusal(await raw(server.url, chunked + rest), status);
  });

  it.each(['GET /healthz HTTP/1.1', 'POST /nothing HTTP/1.1'])(
    '%s, answered during its body, gets no second answer',
    async (line) => {
      const answer = await raw(server.url, `${head(line, HOST, 'Transfer-Encoding: chunked')}5\r\nhello\r\nzz\r\n`);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );

  it('400 with its id in the log', async () => {
    const [, requestId] = REQUEST_ID.exec(await raw(server.url, 'nothing\r\n\r\n')) ?? [];
    const lines = server.logged().filter((line) => line['requestId'] === requestId);
    expect(lines).toMatchObject([{ msg: 'A request could not be read.', status: 400 }]);
  });

  it('200, then 400 for garbage on a kept connection', async () => {
    const answer = await new Promise<string>((resolve) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname, () => socket.write(head('GET /healthz HTTP/1.1', HOST)));
      let text = '';
      socket.once('data', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => {
        resolve(text);
      });
    });
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('the listener', () => {
  let listener: Listener;
  /** Lets the answers of /slow go. */
  const waiting: (() => void)[] = [];
  beforeAll(async () => {
    const app = express();
    app.get('/slow', (_req, res) => {
      waiting.push(() => res.end('slow'));
    });
    app.post('/started', (_req, res) => {
      res.write('started');
    });
    app.use((_req, res) => {
      res.end('else');
    });
    const bounds = { maxConnections: 100, trusts: () => false, onConnectionRefused: () => undefined };
    const names = { portSetting: 'PORT', hostSetting: 'HOST' };
    const log = pino({ level: 'silent' });
    listener = await listen(app, {
      host: '127.0.0.1',
      port: 0,
      requestTimeoutMs: 500,
      ...bounds,
      log,
      errors: 'plain',
      ...names,
    });
  });
  afterAll(async () => {
    await listener.close(0);
  });

  it('sends 408 for headers that do not end', async () => {
    const answer = await raw(listener.url, `${LIST}\r\nHost:`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(REQUEST_ID);
  });

  it('sends no second answer if one is on its way: garbage or silence during the body', async () => {
    const start = head('POST /started HTTP/1.1', HOST, 'Transfer-Encoding: chunked');
    for (const rest of ['zz\r\n', '']) {
      const answer = await raw(listener.url, `${start}5\r\nhello\r\n${rest}`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });

  it('sends 200 for a complete request, even if garbage follows before the answer', async () => {
    const answer = raw(listener.url, `${head('GET /slow HTTP/1.1', HOST)}nonsense\r\n\r\n`);
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    // Bytes that came with the request have been read by the time that another connection is answered.
    await raw(listener.url, head('GET /else HTTP/1.1', HOST, 'Connection: close'));
    waiting.pop()?.();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*slow/);
    expect((await answer).match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('sends 200 for an Expect without a value', async () => {
    const answer = await raw(listener.url, head(LIST, HOST, 'Expect:', 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('answers a target that cannot be read in its turn, after the request before it', async () => {
    const answer = raw(listener.url, head('GET /slow HTTP/1.1', HOST) + head('GET http://[/ HTTP/1.1', HOST));
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    await raw(listener.url, head('GET /else HTTP/1.1', HOST, 'Connection: close'));
    waiting.pop()?.();
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
