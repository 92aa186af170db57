import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';

import { curlLine, createOwnApi } from '../../src/adapters/http/trial/own-api.ts';

const TRIAL = { domain: 'shop.example', method: 'GET', path: '/apps/x?y=1', headers: {}, body: null };
const MIB = 1_048_576;

let server: Server;
const open = async (listener: RequestListener, host = '127.0.0.1'): Promise<string> => {
  server = createServer(listener);
  await once(server.listen(0, host), 'listening');
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${String((server.address() as AddressInfo).port)}`;
};
const { signal } = new AbortController();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['127.0.0.1', '0.0.0.0'])(
  'sends the request to the listener at %s, with the domain as its Host and only the given headers',
  async (host) => {
    const url = await open((request, response) => {
      const { method, url: path, rawHeaders } = request;
      response.end(JSON.stringify({ method, path, rawHeaders }));
    }, host);
    const answer = await createOwnApi(url).send({ ...TRIAL, method: 'POST', headers: { accept: 'a' }, body: 'é' }, signal);
    const rawHeaders = ['host', 'shop.example', 'accept', 'a', 'content-length', '2', 'connection', 'close'];
    expect(answer).toMatchObject({
      ok: true,
      value: { status: 200, requestId: null, body: JSON.stringify({ method: 'POST', path: '/apps/x?y=1', rawHeaders }) },
    });
  },
);

it('returns the first MiB of a longer body, without the half of a character', async () => {
  const url = await open((request, response) => {
    response.end(request.url === '/apps/exact' ? 'x'.repeat(MIB) : `x${'é'.repeat(MIB / 2)}`);
  });
  const sent = (path: string) => createOwnApi(url).send({ ...TRIAL, path }, signal);
  expect(await sent('/apps/exact')).toMatchObject({ value: { body: 'x'.repeat(MIB), isTruncated: false } });
  expect(await sent('/apps/longer')).toMatchObject({ value: { body: `x${'é'.repeat(MIB / 2 - 1)}`, isTruncated: true } });
});

it('refuses when no response comes in time, when the connection is closed, and when the caller leaves', async () => {
  const leaving = new AbortController();
  const url = await open((request, response) => {
    if (request.url === '/apps/closed') response.destroy();
    if (request.url === '/apps/left') leaving.abort();
  });
  const send = (path: string, left: AbortSignal, timeoutMs: number) =>
    createOwnApi(url, { timeoutMs }).send({ ...TRIAL, path }, left);
  const message = expect.stringMatching(/did not answer within 0.05 seconds/) as string;
  expect(await send('/apps/slow', signal, 50)).toMatchObject({ ok: false, code: 'unavailable', message });
  expect(await send('/apps/closed', signal, 60_000)).toMatchObject({ ok: false, code: 'unavailable' });
  expect(await send('/apps/left', leaving.signal, 60_000)).toMatchObject({ ok: false, code: 'unavailable' });
});

it('the curl line is safe in a shell, and has no token', () => {
  const headers = { authorization: 'Bearer tnn_at_x', accept: '', 'idempotency-key': `it's $HOME` };
  expect(curlLine('http://127.0.0.1:1', { ...TRIAL, method: 'PUT', headers, body: `{"a":"'"}` })).toBe(
    String.raw`curl -sS -g -X PUT -H 'Host: shop.example' -H "Authorization: Bearer $TOKEN" -H 'accept;' -H 'idempotency-key: it'\''s $HOME' -H 'Content-Type:' --data-raw '{"a":"'\''"}' 'http://127.0.0.1:1/apps/x?y=1'`,
  );
});
