import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api', CONSOLE_HOSTS: 'admin.shop.example' });
});
afterAll(() => app.close());

describe.each(['/metrics', '/openapi.json'])('%s of the admin listener', (path) => {
  it.each(['127.0.0.1:4001', 'localhost', '10.0.0.11:4001', '[fd00::1]:4001', 'tenon:4001', 'admin.shop.example'])(
    'is answered for %s',
    async (host) => {
      await request(app.adminUrl).get(path).set('Host', host).expect(200);
    },
  );
  it.each(['rebound.evil.example', '127.0.0.1.evil.example:4001', 'admin.shop.example.evil.test'])(
    'is refused for %s, which may be the name of any site',
    async (host) => {
      const { status, body } = await request(app.adminUrl).get(path).set('Host', host);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    },
  );
});

it('a path with the admin token is logged without it', async () => {
  await request(app.adminUrl).get(`/admin/${ADMIN_TOKEN}/stores`).expect(404);
  await expect.poll(() => app.logged().some(({ path }) => path === '/admin/[cut]/stores')).toBe(true);
  expect(app.log.join('')).not.toContain(ADMIN_TOKEN);
});
