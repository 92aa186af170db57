import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, installOn, tokenOn, type TestPlatformApp } from '../support/platform-apps.ts';

let app: OpenApp;
let other: OpenApp;
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  other = await openApp({ ROLE: 'api' }, app);
  platform = await aPlatformApp(app);
});
afterAll(async () => {
  await other.close();
  await app.close();
});

it('one app on 1,000 stores: tokens, one uninstall leaves 999, one row suspends all', { timeout: 300_000 }, async () => {
  const many = 1_000;
  await app.database.query(
    `WITH made AS (
       INSERT INTO stores (id, domain, name, currency)
       SELECT gen_random_uuid(), 'many-' || n || '.example', 'Many', 'EUR' FROM generate_series(1, ${String(many)}) n RETURNING domain, id
     )
     INSERT INTO store_domains (domain, store) SELECT domain, id FROM made`,
  );
  const stores = await app.database.query<TestStore>("SELECT id, domain FROM stores WHERE domain LIKE 'many-%' ORDER BY id");
  const installed: { store: TestStore; token: string; id: string }[] = [];
  for (const store of stores) {
    const id = await installOn(app, store, platform);
    installed.push({ store, id, token: await tokenOn(app, store, platform) });
  }
  const answers = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { store, token } of installed) {
      const { status } = await other.api(store.domain, token)('get', '/apps/catalog/products');
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };
  expect(await answers()).toEqual({ 200: many });
  await app.admin('post', `/admin/apps/${installed[0]?.id ?? ''}/uninstall`).expect(204);
  expect(await answers()).toEqual({ 200: many - 1, 401: 1 });
  await app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ status: 'Suspended' }).expect(200);
  expect(await answers()).toEqual({ 401: many });
});
