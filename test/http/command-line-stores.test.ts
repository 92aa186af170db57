import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp } from '../support/app.ts';
import type { OpenApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());

const tenon = (...args: string[]) => runCommand(args, { env: { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN } });

describe('tenon store', () => {
  it('creates, shows, changes and lists a store', async () => {
    const made = await tenon('store', 'create', 'shop.test', '--name', 'Shop', '--currency', 'EUR', '--json');
    expect(made).toMatchObject({ status: 0, err: '' });
    const store = JSON.parse(made.out);
    expect(store).toMatchObject({ domain: 'shop.test', name: 'Shop', currency: 'EUR', status: 'Active' });
    expect((await tenon('store', 'get', 'shop.test')).out).toContain(`id\t${store.id}\n`);
    expect((await tenon('store', 'update', store.id, '--status', 'Inactive')).out).toContain('status\tInactive\n');
    expect((await tenon('store', 'list')).out).toBe(`${store.id}\tshop.test\tShop\tEUR\tInactive\n`);
  });

  it('exits with 3 for a store that does not exist, 5 for one that the server refuses', async () => {
    expect(await tenon('store', 'get', 'none.test')).toMatchObject({ status: 3, out: '' });
    const refused = await tenon('store', 'create', 'not a domain');
    expect(refused).toMatchObject({ status: 5, out: '' });
    expect(refused.err).toMatch(/^tenon: domain: .+\n {2}request [0-9a-f-]{36}\n$/);
  });

  it('exits with 4 when the token is not right, and does not show it', async () => {
    const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: 'not-the-token-of-this-server' };
    const { status, err } = await runCommand(['store', 'list'], { env });
    expect(status).toBe(4);
    expect(err).toContain('Check TENON_ADMIN_TOKEN');
    expect(err).not.toContain('not-the-token');
  });
});

describe('tenon app', () => {
  it('finds an app by its id, its client id and its name, in the only store', async () => {
    const { id: storeId } = JSON.parse((await tenon('store', 'get', 'shop.test', '--json')).out);
    const made = await app.anApp({ id: storeId, domain: 'shop.test' });
    const [listed] = (await tenon('app', 'list', '--json')).out.trimEnd().split('\n');
    const { id, name } = JSON.parse(listed ?? '');
    expect(id).toBe(made.id);
    for (const named of [id, made.clientId, name]) {
      expect((await tenon('app', 'get', named)).out).toContain(`id\t${id}\n`);
    }
  });

  it('asks for the store when there are several', async () => {
    await tenon('store', 'create', 'second.test');
    const { status, err } = await tenon('app', 'list');
    expect(status).toBe(2);
    expect(err).toContain('--store');
    expect((await tenon('app', 'list', '--store', 'second.test')).out).toBe('');
  });
});
