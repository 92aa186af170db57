import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, installOn, type TestPlatformApp } from '../support/platform-apps.ts';
import { startReceiver, verified, type Received, type Receiver } from '../support/receiver.ts';
import { allEnded, type EventBody } from '../support/webhooks.ts';

let app: OpenApp;
let receiver: Receiver;
let first: TestStore;
let second: TestStore;
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [first, second, receiver] = await Promise.all([app.aStore(), app.aStore(), startReceiver()]);
  platform = await aPlatformApp(app, { eventUrl: `${receiver.url}/events` });
});
afterEach(() => receiver.close());

const change = (changes: object) => app.admin('patch', `/admin/platform-apps/${platform.id}`).send(changes);
const next = async (signingSecret = platform.signingSecret): Promise<EventBody> =>
  verified(await receiver.next(), signingSecret) as EventBody;
/** The next two, which are of two stores, in the order of these. */
const nextOfBoth = async (): Promise<EventBody[]> => {
  const both = [await next(), await next()];
  return [first, second].flatMap(({ id }) => both.filter(({ storeId }) => storeId === id));
};

describe('the event address of a platform app', () => {
  it('learns of the life of each installation, signed with the secret of the app', async () => {
    const id = await installOn(app, first, platform);
    const installed = { id, name: 'Stock sync', domain: first.domain, scopes: ['write_products'] };
    expect(await next()).toMatchObject({ type: 'app.installed', storeId: first.id, data: installed });
    await installOn(app, first, platform, ['read_orders', 'write_products']);
    expect(await next()).toMatchObject({ type: 'app.scopes_changed', data: { id, scopes: ['read_orders', 'write_products'] } });
    await change({ optionalScopes: [] }).expect(200);
    expect(await next()).toMatchObject({ type: 'app.scopes_changed', data: { id, scopes: ['write_products'] } });
    const status = (to: string) => app.admin('patch', `/admin/apps/${id}`).send({ status: to }).expect(200);
    await status('Suspended');
    expect(await next()).toMatchObject({ type: 'app.suspended', data: { id } });
    await status('Installed');
    expect(await next()).toMatchObject({ type: 'app.resumed', data: { id } });
    await app.admin('post', `/admin/apps/${id}/uninstall`).expect(204);
    expect(await next()).toMatchObject({ type: 'app.uninstalled', storeId: first.id, data: { id } });
  });

  it('learns of a suspension everywhere from each store, and of an uninstallation meanwhile', async () => {
    const ids = [await installOn(app, first, platform), await installOn(app, second, platform)];
    expect(await nextOfBoth()).toMatchObject(ids.map((id) => ({ type: 'app.installed', data: { id } })));
    await change({ status: 'Suspended' }).expect(200);
    expect(await nextOfBoth()).toMatchObject(ids.map((id) => ({ type: 'app.suspended', data: { id } })));
    await app.admin('post', `/admin/apps/${String(ids[0])}/uninstall`).expect(204);
    expect(await next()).toMatchObject({ type: 'app.uninstalled', data: { id: ids[0] } });
    await change({ status: 'Active' }).expect(200);
    expect(await next()).toMatchObject({ type: 'app.resumed', data: { id: ids[1] } });
    await allEnded(app.database);
    expect(receiver.received).toHaveLength(6);
  });

  it('learns nothing of the other apps of the store', async () => {
    const other = await aPlatformApp(app);
    const apps = [await installOn(app, first, other), (await app.anApp(first)).id];
    await installOn(app, first, platform);
    for (const id of apps) await app.admin('post', `/admin/apps/${id}/uninstall`).expect(204);
    expect(await next()).toMatchObject({ type: 'app.installed' });
    const types = async () => {
      const { body } = await app.admin('get', `/admin/stores/${first.id}/events?take=50`).expect(200);
      return (body as { items: EventBody[] }).items.map(({ type }) => type);
    };
    // Events get their place in the feed a moment after their commit.
    await expect.poll(types).toContain('app.uninstalled');
    await allEnded(app.database);
    expect(receiver.received).toHaveLength(1);
  });

  it('has both signatures during a rotation, on every store', async () => {
    const at = `/admin/platform-apps/${platform.id}/rotate-signing-secret`;
    const { body } = await app.admin('post', at).send({ overlapSeconds: 60 }).expect(200);
    const { signingSecret } = body as { signingSecret: string };
    for (const store of [first, second]) {
      await installOn(app, store, platform);
      const request: Received = await receiver.next();
      expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2);
      for (const secret of [platform.signingSecret, signingSecret])
        expect(verified(request, secret)).toMatchObject({ type: 'app.installed', storeId: store.id });
    }
  });

  it('gets what a process that was killed after the change did not record', async () => {
    const { installRequests, ids } = app.container.resolve(TOKENS.ports);
    const installationId = ids.next();
    const request = { id: ids.next(), storeId: first.id, appId: platform.id, isKept: false };
    await installRequests.accept(request, { installationId, scopes: ['write_products'] });
    // The sweep of a worker that starts finds it.
    const restarted = await openApp({ ROLE: 'worker' }, app);
    expect(await next()).toMatchObject({ type: 'app.installed', data: { id: installationId } });
    await restarted.stop();
  });

  it('moves with all that waits, and is taken from all stores', async () => {
    await installOn(app, first, platform);
    expect(await next()).toMatchObject({ type: 'app.installed' });
    const moved = await startReceiver();
    await change({ eventUrl: `${moved.url}/moved` }).expect(200);
    await installOn(app, second, platform);
    expect(verified(await moved.next(), platform.signingSecret)).toMatchObject({ type: 'app.installed', storeId: second.id });
    const subscriptions = async () =>
      (await app.admin('get', `/admin/stores/${first.id}/subscriptions`).expect(200)).body as { items: object[] };
    expect((await subscriptions()).items).toMatchObject([
      { url: `${moved.url}/moved`, platformAppId: platform.id, installationId: null, isDeliverable: true },
    ]);
    await change({ eventUrl: null }).expect(200);
    expect((await subscriptions()).items).toEqual([]);
    await moved.close();
  });

  it('is not the merchant’s to edit, to pause or to delete', async () => {
    await installOn(app, first, platform);
    await next();
    const { body } = await app.admin('get', `/admin/stores/${first.id}/subscriptions`).expect(200);
    const [{ id } = { id: '' }] = (body as { items: { id: string }[] }).items;
    const at = `/admin/stores/${first.id}/webhooks/subscriptions/${id}`;
    await app.admin('patch', at).send({ description: 'mine' }).expect(409);
    await app.admin('post', `${at}/pause`).expect(409);
    await app.admin('delete', at).expect(404);
  });

  it.each(['http://app.example.com/events', 'https://10.0.0.1/events', 'https://app.localhost/', 'events'])(
    'is not %s',
    async (eventUrl) => {
      const { body } = await change({ eventUrl }).expect(400);
      expect(body).toMatchObject({ detail: expect.stringMatching(/^eventUrl /) as string });
    },
  );
});
