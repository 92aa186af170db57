import { afterAll, beforeAll, expect, it } from 'vitest';
import request from 'supertest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';

const LIST = '/apps/catalog/products';

let app: OpenApp;
let production: OpenApp;
let shop: TestApp;
let token: string;

beforeAll(async () => {
  app = await openApp();
  production = await openApp({ NODE_ENV: 'production', DATABASE_URL: app.database.url }, app);
  shop = await app.anApp(await app.aStore());
  token = await app.token(shop);
});
afterAll(async () => {
  await production.close();
  await app.close();
});

const list = (url: string, headers: Readonly<Record<string, string>>) =>
  request(url).get(LIST).set('Authorization', `Bearer ${token}`).set(headers);

it.each(['127.0.0.1', 'localhost:4000', '[::1]'])('a request to %s is for the store that the header names', async (Host) => {
  expect((await list(app.url, { Host, 'X-Tenon-Store': shop.store.domain })).status).toBe(200);
  expect((await list(app.url, { Host, 'X-Tenon-Store': 'other.example' })).status).toBe(401);
  expect((await list(app.url, { Host })).status).toBe(401);
});

it('the token route takes it too', async () => {
  const form = { grant_type: 'client_credentials', client_id: shop.clientId, client_secret: shop.clientSecret };
  const answer = await request(app.url).post('/apps/token').set('X-Tenon-Store', shop.store.domain).type('form').send(form);
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, expect.arrayContaining(['accessToken'])]);
});

it('400 in a request to another host, which names its store itself', async () => {
  const answer = await list(app.url, { Host: shop.store.domain, 'X-Tenon-Store': shop.store.domain });
  expect([answer.status, answer.body]).toEqual([
    400,
    { error: 'X-Tenon-Store may appear once, in a request to localhost or 127.0.0.1.' },
  ]);
});

it('400 in production, on every host', async () => {
  for (const Host of ['127.0.0.1', shop.store.domain]) {
    const answer = await list(production.url, { Host, 'X-Tenon-Store': shop.store.domain });
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(/^X-Tenon-Store is for development only/),
    ]);
  }
  expect((await list(production.url, { Host: shop.store.domain })).status).toBe(200);
});
