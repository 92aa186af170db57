import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Attention } from '../../src/application/insight/get-attention.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';
import { allEnded } from '../support/webhooks.ts';

describe('GET /admin/stores/{storeId}/attention', () => {
  let server: OpenApp;
  let receiver: Receiver;
  let app: TestApp;
  beforeAll(async () => {
    server = await openApp({ WEBHOOK_RETRY_SECONDS: '0', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    app = await server.anApp(await server.aStore());
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });
  const of = async (storeId = app.store.id): Promise<Attention> =>
    (await server.admin('get', `/admin/stores/${storeId}/attention`).expect(200)).body as Attention;
  const QUIET = { items: [], isComplete: true };
  const NOTHING = {
    failingSubscriptions: QUIET,
    deactivatedSubscriptions: QUIET,
    waiting: { count: 0, isComplete: true, oldest: null },
    due: { count: 0, isComplete: true, oldest: null },
    held: [],
    mediaImports: QUIET,
    refusals: [],
  };

  it('counts a delivery as failed until it is sent again: the redelivery that succeeds leaves nothing', async () => {
    const other = await server.anApp(await server.aStore());
    const { id } = other.store;
    const call = server.api(other.store.domain, await server.token(other));
    await call('post', '/apps/webhooks/subscriptions')
      .send({ url: receiver.url, eventTypes: ['order.paid'] })
      .expect(200);
    await allEnded(server.database);
    receiver.answer(respond(500));
    await server.admin('post', `/admin/stores/${id}/events`).send({ type: 'order.paid', data: {} }).expect(202);
    await eventually(async () => {
      expect((await of(id)).failedDeliveries).toMatchObject({ count: 1 });
    });
    const env = { TENON_ADMIN_URL: server.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN };
    const shown = await runCommand(['attention', '--store', other.store.domain], { env });
    expect(shown.out).toContain('Deliveries failed\t1\t\tin the last 24 hours\n');
    receiver.answer(respond(200));
    const list = await server.admin('get', `/admin/stores/${id}/deliveries?status=Failed`).expect(200);
    const [failed] = (list.body as { items: { id: string }[] }).items;
    await server.admin('post', `/admin/deliveries/${failed?.id ?? ''}/redeliver`).expect(202);
    await allEnded(server.database);
    expect((await of(id)).failedDeliveries).toMatchObject({ count: 0 });
  });

  it('shows what fails, waits and was refused, and nothing of it in another store', async () => {
    expect(await of()).toMatchObject({ ...NOTHING, failedDeliveries: { count: 0 } });
    const token = await server.token(app);
    const call = server.api(app.store.domain, token);
    const subscribe = async (): Promise<string> => {
      const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
      return ((await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200)).body as { id: string }).id;
    };
    const failing = await subscribe();
    await allEnded(server.database);
    receiver.answer(respond(500));
    const record = () =>
      server.admin('post', `/admin/stores/${app.store.id}/events`).send({ type: 'order.paid', data: {} }).expect(202);
    await record();
    await allEnded(server.database);
    await call('get', `/apps/catalog/products/${randomUUID()}`).expect(404);
    const items = [{ sourceUrl: 'https://images.example.com/x.png', productId: randomUUID() }];
    await call('post', '/apps/media/imports').set('Idempotency-Key', 'x').send({ items }).expect(202);
    await eventually(async () => {
      expect(await of()).toMatchObject({
        failingSubscriptions: {
          items: [{ id: failing, installationId: app.id, health: { breaker: 'closed' } }],
          isComplete: true,
        },
        mediaImports: { items: [{ installationId: app.id, status: 'Failed', firstError: { code: 'product_not_found' } }] },
        refusals: [{ check: 'work', reason: 'not_found', count: 1 }],
        failedDeliveries: { count: 1 },
      });
    });
    await server.admin('patch', `/admin/apps/${app.id}`).send({ status: 'Suspended' }).expect(200);
    await record();
    await eventually(async () => {
      expect((await of()).held).toEqual([{ reason: 'app_suspended', count: 1, isComplete: true }]);
    });
    expect(await of((await server.aStore()).id)).toMatchObject(NOTHING);
  });
});
