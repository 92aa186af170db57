import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { ask } from '../support/raw.ts';

const LIST = '/apps/catalog/products?take=1';
let server: OpenApp;
let store: TestStore;
let other: TestStore;
let token: string;
beforeAll(async () => {
  server = await openApp();
  [store, other] = [await server.aStore('target.example'), await server.aStore('other.example')];
  token = `Authorization: Bearer ${await server.token(await server.anApp(store))}`;
});
afterAll(() => server.close());

describe('an absolute target (RFC 9112, 3.2.2)', () => {
  it('names the store, and Host is ignored', async () => {
    const mine = `GET http://${store.domain}${LIST} HTTP/1.1`;
    const answer = await ask(server.url, [mine, `Host: ${other.domain}`, token]);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { take: 1 }]);
    const others = `GET http://${other.domain}${LIST} HTTP/1.1`;
    expect((await ask(server.url, [others, `Host: ${store.domain}`, token])).status).toBe(401);
  });
  it('may have a port, capital letters and no path', async () => {
    const line = `GET HTTP://${store.domain.toUpperCase()}:4000${LIST} HTTP/1.1`;
    expect((await ask(server.url, [line, 'Host: x', token])).status).toBe(200);
    const answer = await ask(server.url, [`GET http://${store.domain}?x=1 HTTP/1.1`, 'Host: x']);
    expect([answer.status, answer.headers['x-request-id']]).toEqual([404, expect.any(String)]);
  });
  it('excuses neither a missing Host nor a second one', async () => {
    const line = `GET http://${store.domain}${LIST} HTTP/1.1`;
    expect((await ask(server.url, [line, token])).status).toBe(400);
    expect((await ask(server.url, [line, 'Host: a', 'Host: b', token])).status).toBe(400);
  });
  it('is enough for HTTP/1.0', async () => {
    expect((await ask(server.url, [`GET http://${store.domain}${LIST} HTTP/1.0`, token])).status).toBe(200);
  });
});

it('no header is lost among 3,000 others: Node keeps 2,000 by default', async () => {
  const many = Array.from({ length: 3_000 }, () => 'a:');
  expect((await ask(server.url, [`GET ${LIST} HTTP/1.1`, `Host: ${store.domain}`, ...many, token])).status).toBe(200);
});
