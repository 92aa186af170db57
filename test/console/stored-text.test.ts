import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { expectNoProblems, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { respond } from '../support/receiver.ts';

/** Were it HTML on any page, a script of its own would run. */
const hostile = (field: string): string => `${field}<img src=x onerror=alert(1)><script>alert(2)</script>`;

/** Elements that stored text must not create. */
const ELEMENTS = `document.querySelectorAll('img, iframe, object, embed, body script').length`;

const UNFOLD = `for (const fold of document.querySelectorAll('details')) fold.open = true`;

describe.skipIf(!browserAvailable())('text that others have stored stays text', () => {
  let world: ConsoleWorld;
  let page: ConsolePage;
  let productId: string;
  const dialogs: string[] = [];
  const admin = (verb: 'post' | 'patch', path: string, body: object) => world.app.admin(verb, `/admin${path}`).send(body);
  /** Opens the page of the store, and expects each of these texts on it as it was stored. */
  const shows = async (path: string, ...texts: readonly string[]): Promise<void> => {
    await page.goto(`/console/stores${path}`);
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.getByLabel('Loading').count(), { message: path }).toBe(0);
    // Folded text is unfolded and searched as well.
    await page.evaluate(UNFOLD);
    for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
    expect(await page.evaluate<number>(ELEMENTS), path).toBe(0);
    expect(dialogs, path).toEqual([]);
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
    const { store, installed, fails } = world;
    fails.answer(respond(500, hostile('response')));
    await admin('patch', `/stores/${store.id}`, { name: hostile('store') }).expect(200);
    await admin('patch', `/apps/${installed.id}`, { name: hostile('app') }).expect(200);
    const call = world.app.api(store.domain, await world.app.token(installed));
    const subscription = {
      url: `${fails.url}/${encodeURIComponent(hostile('path'))}`,
      eventTypes: ['order.cancelled'],
      description: hostile('description'),
    };
    await call('post', '/apps/webhooks/subscriptions').send(subscription).expect(200);
    await call('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'key-1').send({}).expect(400);
    const documents = [
      { name: hostile('product'), description: hostile('text'), metaTitle: hostile('meta'), tags: [hostile('tag')] },
    ];
    productId = (await world.app.importProducts(store, documents)).at(-1) ?? '';
    const data = { id: hostile('resource'), reason: hostile('reason'), [hostile('member')]: 1 };
    await admin('post', `/stores/${store.id}/events`, { type: 'order.cancelled', data }).expect(202);
    await eventually(async () => {
      const failed = await world.app.database.query("SELECT 1 FROM deliveries WHERE status = 'Failed' AND attempts = 2");
      expect(failed.length).toBeGreaterThan(1);
    });
    // A server of another version may have written a reason that this one does not know.
    await eventually(async () => {
      const sql = 'UPDATE request_log SET reason = $1, code = NULL WHERE store_id = $2 RETURNING 1';
      expect(await world.app.database.query(sql, [hostile('refusal'), store.id])).toHaveLength(1);
    });
    page = await world.open();
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  });

  afterAll(() => world.close());

  const idOf = async (sql: string): Promise<string> => {
    const [row] = await world.app.database.query<{ id: string }>(`SELECT ${sql} WHERE store_id = $1`, [world.store.id]);
    return row?.id ?? '';
  };

  it('in the names of stores and apps', async () => {
    const { id } = world.store;
    await shows('', hostile('store'));
    await shows(`/${id}`, hostile('app'));
    await shows(`/${id}/apps`, hostile('app'));
    await shows(`/${id}/apps/${world.installed.id}`, hostile('app'));
    await page.getByRole('button', { name: /^Uninstall/ }).click();
    await page.getByRole('dialog').getByText(hostile('app')).waitFor();
    expect(await page.evaluate<number>(ELEMENTS)).toBe(0);
    expectNoProblems(page);
  });

  it('in subscriptions', async () => {
    const { id } = world.store;
    const open = await idOf('id::text FROM subscriptions');
    await shows(`/${id}/subscriptions`, hostile('description'), hostile('app'), 'path%3Cimg');
    await shows(`/${id}/subscriptions?open=${open}`, hostile('description'), 'path%3Cimg');
    expectNoProblems(page);
  });

  it('in events and deliveries, with what the receiver said', async () => {
    const { id } = world.store;
    const [{ event, delivery } = { event: '', delivery: '' }] = await world.app.database.query<{
      event: string;
      delivery: string;
    }>(
      `SELECT e.id::text AS event, d.id::text AS delivery FROM deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
       WHERE e.store_id = $1 AND e.type = 'order.cancelled'`,
      [id],
    );
    await shows(`/${id}/events`);
    await shows(`/${id}/events?open=${event}`, hostile('resource'), hostile('reason'), hostile('member'), hostile('app'));
    await shows(`/${id}/deliveries`, hostile('app'));
    await shows(`/${id}/deliveries?open=${delivery}`, hostile('response'), hostile('reason'), 'path%3Cimg');
    await shows(`/${id}/deliveries?resource=${encodeURIComponent(hostile('resource'))}`);
    expectNoProblems(page);
  });

  it('in products', async () => {
    const { id } = world.store;
    await shows(`/${id}/products`, hostile('product'));
    await shows(`/${id}/products/${productId}`, hostile('product'), hostile('meta'), hostile('tag'));
    await shows(`/${id}/products/${productId}?tab=json`, hostile('product'));
    await shows(`/${id}/try`);
    await shows(`/${id}/media`);
    expectNoProblems(page);
  });

  it('in refused requests, searches, keys, and what an import says of a file', async () => {
    const { id } = world.store;
    await shows(`/${id}/requests`, hostile('refusal'), hostile('app'));
    const open = await idOf('request_id::text AS id FROM request_log');
    await shows(`/${id}/requests?open=${open}`, hostile('refusal'));
    const q = encodeURIComponent(hostile('search'));
    await shows(`/${id}/search?q=${q}`, 'Nothing was found');
    await shows(`/${id}/keys?app=${world.installed.id}&key=${q}`, 'This app has no such key');
    await shows(`/${id}/import`);
    const buffer = Buffer.from(`{"name":"${hostile('line')}","status":"${hostile('value')}"}\n`);
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: `${hostile('file').replaceAll('/', '')}.ndjson`, mimeType: '', buffer });
    await page.getByText('0 of 1 product imported').waitFor();
    expect(await page.evaluate<number>(ELEMENTS)).toBe(0);
    expect(dialogs).toEqual([]);
    expectNoProblems(page);
  });
});
