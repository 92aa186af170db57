import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, installOn, tokenOn, type TestPlatformApp } from '../support/platform-apps.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const SCOPES = ['write_metaobjects'];
const FIELDS = [{ key: 'title', type: 'single_line_text' }];
const [ENTRIES, ADMIN] = ['/custom-data/metaobjects/look/entries', 'metaobjects/look'];

let server: OpenApp;
let store: TestStore;
let platform: TestPlatformApp;
beforeAll(async () => {
  server = await openApp({ ROLE: 'api' });
  platform = await aPlatformApp(server, { scopes: SCOPES, optionalScopes: [] });
});
afterAll(() => server.close());

interface Stored {
  readonly id: string;
  readonly handle: string;
  readonly installationId: string;
  readonly keptUntil: string | null;
}

const atStore = (path: string, { id } = store) => `/admin/stores/${id}/${path}`;
const define = (fields: object[] = FIELDS, { id } = store) =>
  server.admin('put', `/admin/stores/${id}/metaobject-definitions/look`).send({ name: 'Look', fields });
const stored = async (of = store): Promise<Stored[]> =>
  ((await server.admin('get', atStore(ADMIN, of)).expect(200)).body as { items: Stored[] }).items;
const put = async (token: string, handle: string, of = store): Promise<string> => {
  const answer = await server
    .api(of.domain, token)('put', `${ENTRIES}/${handle}`)
    .send({ fields: { title: handle } })
    .expect(200);
  return (answer.body as { id: string }).id;
};
const own = async (token: string, of = store): Promise<string[]> =>
  ((await server.api(of.domain, token)('get', ENTRIES).expect(200)).body as { items: Stored[] }).items.map(({ id }) => id);
const uninstall = (id: string) => server.admin('post', `/admin/apps/${id}/uninstall`).expect(204);
const purge = (limit = 100) => server.container.resolve(TOKENS.ports).metaobjects.purgeKept(limit);
const daysPass = (days: number) =>
  server.database.query(
    `UPDATE installations SET entries_until = entries_until - make_interval(days => $1::int) WHERE entries_until IS NOT NULL`,
    [days],
  );

/** An app that had these entries until its end. Returns its id and theirs. */
const anEnded = async (...handles: string[]): Promise<{ app: TestApp; ids: string[] }> => {
  const app = await server.anApp(store, SCOPES);
  const token = await server.token(app);
  const ids: string[] = [];
  for (const handle of handles) ids.push(await put(token, handle));
  await uninstall(app.id);
  return { app, ids };
};

beforeEach(async () => {
  store = await server.aStore();
  await define().expect(200);
});

describe('the entries of an uninstalled app', () => {
  it('are counted before its end, and seen and exported after it, with the time for which they are kept', async () => {
    const app = await server.anApp(store, SCOPES);
    await put(await server.token(app), 'spring');
    const preview = async () => (await server.admin('get', `/admin/apps/${app.id}/uninstall-preview`).expect(200)).body as object;
    expect(await preview()).toMatchObject({ entries: 1 });
    expect(await stored()).toMatchObject([{ handle: 'spring', installationId: app.id, keptUntil: null }]);
    await uninstall(app.id);
    expect(await preview()).toMatchObject({ entries: 0 });
    const entries = await stored();
    expect(entries).toMatchObject([{ handle: 'spring', installationId: app.id, keptUntil: TIME }]);
    expect(Date.parse(entries[0]?.keptUntil ?? '') - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const { text, headers } = await server
      .admin('get', atStore(`${ADMIN}/export`))
      .buffer(true)
      .parse((res, done) => {
        let all = '';
        res.on('data', (part: Buffer) => (all += part.toString()));
        res.on('end', () => done(null, all));
      })
      .then((answer) => ({ text: answer.body as string, headers: answer.headers as Record<string, string> }));
    expect(headers['content-type']).toContain('application/x-ndjson');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Stored),
    ).toEqual(entries);
    await server.admin('get', atStore('metaobjects/nothing/export')).expect(404);
    const { body } = await server.admin('get', atStore('metaobject-definitions')).expect(200);
    expect(body).toMatchObject({ items: [{ type: 'look', entries: 1, keptEntries: 1 }], total: 1 });
  });

  it('are deleted by the merchant, with an event', async () => {
    const { ids } = await anEnded('spring', 'summer');
    const path = atStore(`${ADMIN}/${ids[0] ?? ''}`);
    await server.admin('delete', path).expect(204);
    await server.admin('delete', path).expect(404);
    await server.admin('delete', atStore(`metaobjects/other/${ids[1] ?? ''}`)).expect(404);
    const elsewhere = await server.aStore();
    await server.admin('delete', atStore(`${ADMIN}/${ids[1] ?? ''}`, elsewhere)).expect(404);
    expect((await stored()).map(({ id }) => id)).toEqual(ids.slice(1));
    const events = await server.database.query('SELECT body FROM events WHERE store_id = $1 AND type = $2', [
      store.id,
      'metaobject.deleted',
    ]);
    expect(events.map(({ body }) => JSON.parse(body as string) as object)).toMatchObject([
      { data: { id: ids[0], origin: null } },
    ]);
  });

  it('block no change of their type, and go with it', async () => {
    await anEnded('spring');
    await define([
      { key: 'title', type: 'integer' },
      { key: 'more', type: 'url', required: true },
    ]).expect(200);
    expect(await stored()).toHaveLength(1);
    const path = atStore('metaobject-definitions/look');
    expect((await server.admin('delete', path).expect(200)).body).toEqual({ entries: 1 });
    await server.admin('get', path).expect(404);
    await server.admin('delete', path).expect(404);
  });

  it('are erased after 30 days, and not earlier', async () => {
    // Other tests have left some.
    await daysPass(60);
    while ((await purge()) > 0);
    const { app } = await anEnded('spring', 'summer', 'autumn');
    await daysPass(29);
    expect(await purge()).toBe(0);
    expect(await stored()).toHaveLength(3);
    await daysPass(1);
    expect([await purge(2), await purge(2), await purge(2)]).toEqual([2, 1, 0]);
    expect(await stored()).toEqual([]);
    const again = { name: 'App', scopes: SCOPES, entriesOf: app.id };
    await server.admin('post', `/admin/stores/${store.id}/apps`).send(again).expect(409);
  });

  it('go with their store', async () => {
    await anEnded('spring');
    await server.admin('delete', `/admin/stores/${store.id}?confirm=${store.domain}`).expect(202);
    const { storeErasure, mediaFiles: _ } = server.container.resolve(TOKENS.ports);
    await storeErasure.eraseRows(10_000);
    expect(await server.database.query('SELECT FROM metaobject_entries WHERE store_id = $1', [store.id])).toEqual([]);
  });
});

describe('an app that is installed again', () => {
  it('has its entries, as they were', async () => {
    const first = await installOn(server, store, platform);
    const token = await tokenOn(server, store, platform);
    const [spring, summer] = [await put(token, 'spring'), await put(token, 'summer')];
    await uninstall(first);
    const second = await installOn(server, store, platform);
    const again = await tokenOn(server, store, platform);
    expect(await own(again)).toEqual([spring, summer]);
    expect(await put(again, 'spring')).toBe(spring);
    expect((await stored()).map(({ id, installationId, keptUntil }) => ({ id, installationId, keptUntil }))).toEqual([
      { id: spring, installationId: second, keptUntil: null },
      { id: summer, installationId: second, keptUntil: null },
    ]);
    await daysPass(60);
    await purge();
    expect(await own(again)).toEqual([spring, summer]);
    await server.api(store.domain, again)('delete', `${ENTRIES}/spring`).expect(204);
    expect(await own(again)).toEqual([summer]);
  });

  it('reads entries that its type would refuse by now, and its next write is judged', async () => {
    const first = await installOn(server, store, platform);
    await put(await tokenOn(server, store, platform), 'spring');
    await uninstall(first);
    await define([{ key: 'season', type: 'single_line_text', required: true }]).expect(200);
    await installOn(server, store, platform);
    const call = server.api(store.domain, await tokenOn(server, store, platform));
    expect((await call('get', `${ENTRIES}/spring`).expect(200)).body).toMatchObject({ fields: { title: 'spring' } });
    await call('put', `${ENTRIES}/spring`)
      .send({ fields: { title: 'spring' } })
      .expect(400);
    await call('put', `${ENTRIES}/spring`)
      .send({ fields: { season: 'spring' } })
      .expect(200);
  });

  it('has no entries of another store, nor of another app', async () => {
    const elsewhere = await server.aStore();
    await define(FIELDS, elsewhere).expect(200);
    await uninstall(await installOn(server, elsewhere, platform));
    const other = await aPlatformApp(server, { scopes: SCOPES, optionalScopes: [] });
    const others = await installOn(server, store, other);
    await put(await tokenOn(server, store, other), 'spring');
    await uninstall(others);
    await installOn(server, store, platform);
    expect(await own(await tokenOn(server, store, platform))).toEqual([]);
    expect(await stored()).toMatchObject([{ installationId: others, keptUntil: TIME }]);
  });

  it('is one of one store, whose merchant names the app that it follows', async () => {
    const { app: ended, ids } = await anEnded('spring');
    const install = (entriesOf: string) =>
      server.admin('post', `/admin/stores/${store.id}/apps`).send({ name: 'App', scopes: SCOPES, entriesOf });
    const { body } = await install(randomUUID()).expect(409);
    expect(body).toMatchObject({ detail: expect.stringContaining('Nothing was installed') as string });
    const { installation, ...credentials } = (await install(ended.id).expect(201)).body as {
      installation: { id: string };
      clientId: string;
      clientSecret: string;
    };
    const token = await tokenOn(server, store, { ...platform, ...credentials });
    expect(await own(token)).toEqual(ids);
    expect(await stored()).toMatchObject([{ installationId: installation.id, keptUntil: null }]);
    await install(ended.id).expect(409);
  });
});

describe('the entries of an app that is not uninstalled', () => {
  it.each(['Installed', 'Suspended'])(
    'keep their type from going unless the merchant names how many they are: %s',
    async (status) => {
      const app = await server.anApp(store, SCOPES);
      for (const handle of ['spring', 'summer']) await put(await server.token(app), handle);
      await anEnded('autumn');
      await server.admin('patch', `/admin/apps/${app.id}`).send({ status }).expect(200);
      const path = atStore('metaobject-definitions/look');
      await define([{ key: 'season', type: 'url' }]).expect(409);
      for (const query of ['', '?entries=1', '?entries=3']) {
        const { body } = await server.admin('delete', `${path}${query}`).expect(409);
        expect(body).toMatchObject({ detail: expect.stringContaining('entries=2') as string });
      }
      await server.admin('delete', `${path}?entries=-1`).expect(400);
      await daysPass(60);
      await purge();
      expect((await stored()).map(({ handle }) => handle)).toEqual(['spring', 'summer']);
      expect((await server.admin('delete', `${path}?entries=2`).expect(200)).body).toEqual({ entries: 2 });
      const audited = await server.admin('get', `/admin/audit?storeId=${store.id}`).expect(200);
      expect(JSON.stringify(audited.body)).toContain('"keptEntries":0');
      const events = await server.database.query('SELECT FROM events WHERE store_id = $1 AND type = $2', [
        store.id,
        'metaobject.deleted',
      ]);
      expect(events).toHaveLength(2);
    },
  );
});
