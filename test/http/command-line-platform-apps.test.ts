import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { CREDENTIAL_PATTERNS } from '../../src/domain/identity/token.ts';
import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { installOn, tokenRequest } from '../support/platform-apps.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
});
afterAll(() => app.close());

const run = (...args: string[]) =>
  runCommand(['platform-apps', ...args], { env: { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN } });
const json = async <T>(...args: string[]): Promise<T> => {
  const { out, err, status } = await run(...args, '--json');
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as T;
};

it('a platform app is added, changed, suspended, resumed and rotated, and lists its installations', async () => {
  const redirectUrl = 'https://stock.example.com/installed';
  const added = await json<{ app: { id: string }; clientId: string; clientSecret: string; signingSecret: string }>(
    ...['add', 'Stock sync', '--redirect-urls', redirectUrl, '--scopes', 'write_inventory', '--optional-scopes', 'read_orders'],
  );
  expect(added.clientSecret).toMatch(CREDENTIAL_PATTERNS.clientSecret);
  const platform = { ...added, id: added.app.id, redirectUrl };
  const store = await app.aStore();
  const id = await installOn(app, store, platform);
  expect(await json('installations', 'Stock sync')).toMatchObject({ id, storeId: store.id, scopes: ['write_inventory'] });
  expect(await json('edit', added.clientId, '--scopes', 'write_inventory,read_products')).toMatchObject({
    scopes: ['read_products', 'write_inventory'],
  });
  const eventUrl = 'https://127.0.0.1/events';
  expect(await json('edit', 'Stock sync', '--event-url', eventUrl)).toMatchObject({ eventUrl });
  expect(await json('edit', 'Stock sync', '--event-url', '')).toMatchObject({ eventUrl: null });
  expect(await json('suspend', 'Stock sync', '--yes')).toMatchObject({ status: 'Suspended' });
  await tokenRequest(app, store, platform).expect(401);
  expect(await json('resume', platform.id)).toMatchObject({ status: 'Active' });
  const { clientSecret } = await json<{ clientSecret: string }>('rotate-client-secret', 'Stock sync', '--overlap', '0', '--yes');
  await tokenRequest(app, store, platform).expect(401);
  await tokenRequest(app, store, { ...platform, clientSecret }).expect(200);
  expect(await json('rotate-signing-secret', 'Stock sync')).toHaveProperty('signingSecret');
  expect(await json('list')).toMatchObject({ id: platform.id, optionalScopes: ['read_orders'] });
});

it('a manifest registers an app, and changes it to what it says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-manifest-'));
  const file = join(folder, 'app.json');
  const apply = async (manifest: unknown) => {
    await writeFile(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    return run('apply', file, '--json');
  };
  const manifest = { name: 'By manifest', redirectUrls: ['https://m.example.com/'], scopes: ['read_products'] };
  const added = JSON.parse(
    (await apply({ ...manifest, optionalScopes: ['read_orders'], eventUrl: 'https://127.0.0.1/e' })).out,
  ) as {
    clientSecret: string;
  };
  expect(added.clientSecret).toMatch(CREDENTIAL_PATTERNS.clientSecret);
  const changed = JSON.parse((await apply({ ...manifest, scopes: ['write_products'] })).out) as object;
  expect(changed).toMatchObject({ scopes: ['write_products'], optionalScopes: [], eventUrl: null });
  expect(changed).not.toHaveProperty('clientSecret');
  for (const wrong of ['{', { ...manifest, scope: [] }, { name: 'x' }])
    expect((await apply(wrong)).err).toContain('app.json is not a manifest');
  expect((await apply({ ...manifest, redirectUrls: ['http://m.example.com/'] })).err).toContain(
    'A redirect URL must be an https URL',
  );
  expect((await run('apply', join(folder, 'none.json'))).status).not.toBe(0);
  await rm(folder, { recursive: true });
});

it('what is wrong is said in one line', async () => {
  const wrong = await run('edit', 'Nobody', '--name', 'X');
  expect([wrong.status === 0, wrong.err]).toEqual([false, expect.stringContaining('There is no platform app Nobody.')]);
  expect((await run('edit', 'Stock sync')).err).toContain('Give what to change');
});
