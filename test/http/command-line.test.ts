import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';
import { runCommand, type RanOptions } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver } from '../support/receiver.ts';
import { runTenonCommand } from '../support/tenon-command.ts';

let app: OpenApp;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  [app, receiver] = await Promise.all([
    openApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_RETRY_SECONDS: '0' }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** JSON as the commands write it. */
type Parsed = ReturnType<typeof JSON.parse>;

const asAdmin = (): Record<string, string> => ({ TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN });
const tenon = (...args: string[]) => runCommand(args, { env: asAdmin() });
const json = async (...args: string[]): Promise<Parsed[]> => {
  const { out, status, err } = await tenon(...args, '--json');
  if (status !== 0) throw new Error(err);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

/** Runs a command that watches until it has written the text, and repeats the act until then. */
const watch = async (args: string[], act: () => Promise<unknown>, text: string): Promise<string> => {
  const interruption = new AbortController();
  let out = '';
  const options: RanOptions = { env: asAdmin(), interrupted: interruption.signal, onOut: (written) => (out += written) };
  const running = runCommand([...args, '--store', 'watched.test'], options);
  // The stream begins a moment after the command.
  await eventually(async () => {
    await act();
    expect(out).toContain(text);
  });
  interruption.abort('SIGINT');
  expect((await running).status).toBe(130);
  return out;
};

describe('tenon store', () => {
  it('creates, shows, changes and lists a store', async () => {
    const made = await tenon('store', 'create', 'shop.test', '--name', 'Shop', '--currency', 'EUR', '--json');
    expect(made).toMatchObject({ status: 0, err: '' });
    const store = JSON.parse(made.out);
    expect(store).toMatchObject({ domain: 'shop.test', name: 'Shop', currency: 'EUR', status: 'Active' });
    expect((await tenon('store', 'get', 'shop.test')).out).toContain(`id\t${store.id}\n`);
    expect((await tenon('store', 'update', store.id, '--status', 'Inactive', '--yes')).out).toContain('status\tInactive\n');
    expect((await tenon('store', 'list')).out).toBe(`${store.id}\tshop.test\tShop\tEUR\tInactive\tmerchant\n`);
  });

  it('says which currency a store has that was created without one', async () => {
    const { status, out, err } = await tenon('store', 'create', 'shop-of-no-currency.test');
    expect([status, /^currency\t(.+)$/m.exec(out)?.[1]]).toEqual([0, 'USD']);
    expect(err).toContain('The currency is USD, the default. It cannot be changed later');
    expect((await tenon('store', 'delete', 'shop-of-no-currency.test', '--confirm', 'shop-of-no-currency.test')).status).toBe(0);
  });

  it('exits with 3 for a store that does not exist, 5 for one that the server refuses', async () => {
    expect(await tenon('store', 'get', 'none.test')).toMatchObject({ status: 3, out: '' });
    const refused = await tenon('store', 'create', 'not a domain');
    expect(refused).toMatchObject({ status: 5, out: '' });
    expect(refused.err).toMatch(/^tenon: domain: .+\n {2}request [0-9a-f-]{36}\n$/);
  });

  it('exits with 3 where the store to export does not exist', async () => {
    const file = join(tmpdir(), `tenon-${randomUUID()}.store`);
    const { ended } = runTenonCommand(['store', 'export', 'none.test', file], { DATABASE_URL: app.database.url });
    expect(await ended).toMatchObject({ status: 3, said: 'tenon: There is no store with the id or the domain none.test.' });
    expect(existsSync(file)).toBe(false);
  });

  it('names the scope that was probably meant', async () => {
    const { status, err } = await tenon('app', 'install', 'Typed', '--store', 'shop.test', '--scopes', 'write_product');
    expect(status).toBe(5);
    expect(err).toContain('write_product is not a scope. Did you mean write_products?');
  });

  it('says that an address is that of the app API', async () => {
    const { err } = await runCommand(['store', 'list'], { env: { ...asAdmin(), TENON_ADMIN_URL: app.url } });
    expect(err).toContain('This is not the admin API');
  });

  it('exits with 4 when the token is not right, and does not show it', async () => {
    const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: 'not-the-token-of-this-server' };
    const { status, err } = await runCommand(['store', 'list'], { env });
    expect(status).toBe(4);
    expect(err).toContain('It is from TENON_ADMIN_TOKEN.');
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

describe('an app', () => {
  it('is installed, changed, suspended, resumed and uninstalled', async () => {
    const [made] = await json('app', 'install', 'Stock sync', '--store', 'shop.test', '--scopes', 'read_products,write_products');
    expect(made).toMatchObject({ clientSecret: expect.any(String), signingSecret: expect.stringMatching(/^whsec_/) });
    const { id } = made.installation;
    expect(await json('app', 'update', id, '--name', 'Sync', '--scopes', 'read_products')).toMatchObject([
      { name: 'Sync', scopes: ['read_products'] },
    ]);
    expect(await json('app', 'suspend', id, '--yes')).toMatchObject([{ status: 'Suspended' }]);
    expect(await json('app', 'resume', id)).toMatchObject([{ status: 'Installed' }]);
    expect(await json('app', 'rotate-client-secret', id, '--overlap', '60')).toMatchObject([
      { clientSecret: expect.any(String) },
    ]);
    expect(await json('app', 'rotate-signing-secret', id)).toMatchObject([{ signingSecret: expect.stringMatching(/^whsec_/) }]);
    expect((await tenon('app', 'uninstall', id)).status).toBe(2);
    expect(await json('app', 'get', id)).toMatchObject([{ status: 'Installed' }]);
    expect((await tenon('app', 'uninstall', id, '--yes')).status).toBe(0);
    expect(await json('app', 'get', id)).toMatchObject([{ status: 'Uninstalled' }]);
  });

  it('gets a token that the app API takes; in a pipe it is the only output', async () => {
    const store = await app.aStore('token.test');
    const { id } = await app.anApp(store, ['read_products']);
    const { out } = await tenon('app', 'token', id);
    await app.api(store.domain, out.trim())('get', '/apps/catalog/products').expect(200);
  });

  it('is asked for by name on a terminal before it is uninstalled', async () => {
    const { id } = await app.anApp(await app.aStore());
    const refused = await runCommand(['app', 'uninstall', id], { env: asAdmin(), terminal: true, stdin: 'n\n' });
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/cannot be undone\. \[y\/N\] tenon: Nothing was changed/),
    });
    expect((await runCommand(['app', 'uninstall', id], { env: asAdmin(), terminal: true, stdin: 'y\n' })).status).toBe(0);
  });
});

describe('webhooks', () => {
  let storeId = '';
  let subscription: Parsed;
  const record = async (): Promise<string> =>
    (
      await app
        .admin('post', `/admin/stores/${storeId}/events`)
        .send({ type: 'order.paid', data: { id: 'order-1' } })
        .expect(202)
    ).body.eventId;
  const ofStore = (...args: string[]) => json(...args, '--store', 'watched.test');
  const ended = (eventId: string, status: string) =>
    eventually(async () => {
      const [delivery] = await ofStore('deliveries', 'list', '--event', eventId);
      expect(delivery).toMatchObject({ status });
      return delivery.id as string;
    });

  beforeAll(async () => {
    storeId = (await app.aStore('watched.test')).id;
    [subscription] = await ofStore('subscriptions', 'create', receiver.url, '--types', 'order.paid,order.created');
  });

  it('are subscribed to, listed with their health, pinged', async () => {
    expect(subscription.signingSecret).toMatch(/^whsec_/);
    expect(await ofStore('subscriptions', 'list')).toMatchObject([{ id: subscription.id, health: { breaker: 'closed' } }]);
    expect((await tenon('subscriptions', 'ping', subscription.id)).out).toBe(`${subscription.id}\n`);
    await eventually(() => expect(receiver.received.some(({ body }) => body.includes('"ping"'))).toBe(true));
  });

  it('are edited, paused, resumed, tried and reactivated', async () => {
    const change = (...args: string[]) => tenon('subscriptions', ...args, '--store', 'watched.test');
    expect((await change('edit', subscription.id)).status).toBe(2);
    expect((await change('edit', subscription.id, '--description', 'Paid orders')).out).toContain('receiver\tPaid orders\n');
    expect((await change('edit', subscription.id, '--description', '')).out).not.toContain('Paid orders');
    expect((await change('pause', subscription.id, '--yes')).out).toContain('state\tpaused by merchant\n');
    expect(await change('try', subscription.id)).toMatchObject({ status: 5, err: expect.stringContaining('paused') as string });
    expect((await change('resume', subscription.id)).out).toContain('state\tok\n');
    expect((await change('try', subscription.id)).out).toMatch(/^delivery\t\S+\nattempt\t1\noutcome\tdelivered\nanswer\t2\d\d\n/);
    expect((await change('reactivate', subscription.id)).out).toContain('state\tok\n');
    receiver.answer(respond(500));
    expect(await change('try', subscription.id)).toMatchObject({
      status: 5,
      out: expect.stringContaining('answer\t500') as string,
    });
    receiver.answer(respond(200));
    expect((await change('try', subscription.id)).status).toBe(0);
  });

  it('are listed, shown with their attempts and sent again by id', async () => {
    const eventId = await record();
    const id = await ended(eventId, 'Delivered');
    const shown = await runCommand(['deliveries', 'get', id], { env: { ...asAdmin(), NO_COLOR: '1' }, terminal: true });
    expect(shown.out).toMatch(/status +Delivered/);
    expect(shown.out).toMatch(/ATTEMPT .*STATUS/);
    expect(await ofStore('events', 'get', eventId)).toMatchObject([{ id: eventId, deliveries: [{ id }] }]);
    expect((await ofStore('events', 'list', '--types', 'order.*', '--limit', '1'))[0]).toMatchObject({ id: eventId });
    const before = receiver.received.length;
    expect(await tenon('deliveries', 'redeliver', id)).toMatchObject({ status: 0, out: `${id}\n` });
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before));
  });

  it('are sent again by a filter: counted first, and only with --yes', async () => {
    receiver.answer(respond(500));
    const eventId = await record();
    await ended(eventId, 'Failed');
    receiver.answer(respond(200));
    const filter = ['deliveries', 'redeliver', '--store', 'watched.test', '--event', eventId, '--status', 'Failed'];
    expect((await tenon(...filter, '--dry-run')).out).toBe('deliveries\t1\n');
    expect((await tenon(...filter)).status).toBe(2);
    expect((await tenon(...filter, '--yes')).out).toContain('queued\t1\n');
    await ended(eventId, 'Delivered');
    expect((await tenon('deliveries', 'redeliver')).status).toBe(2);
  });

  it('are watched as they happen, until Ctrl-C', async () => {
    expect(await watch(['deliveries', 'tail'], record, 'delivered')).toContain('order.paid');
    expect(await watch(['events', 'tail', '--types', 'order.*'], record, 'order.paid')).toContain('order-1');
  });

  it('are no longer sent after their subscription is deleted', async () => {
    const [other] = await ofStore('subscriptions', 'create', receiver.url, '--types', 'order.created');
    expect((await tenon('subscriptions', 'delete', other.id, '--store', 'watched.test')).status).toBe(2);
    expect((await tenon('subscriptions', 'delete', other.id, '--store', 'watched.test', '--yes')).status).toBe(0);
    expect(await ofStore('subscriptions', 'list')).toHaveLength(1);
  });

  it('verify finds nothing wrong, and exits with 1 when an invariant is violated', async () => {
    expect((await tenon('verify')).status).toBe(0);
    const eventId = await record();
    await ended(eventId, 'Delivered');
    await app.database.query('UPDATE deliveries SET attempts = attempts + 7 WHERE event_id = $1', [eventId]);
    const { status, out, err } = await tenon('verify');
    expect(status).toBe(1);
    expect(out).toMatch(/attempts_recorded\t1 violated/);
    expect(err).toContain('attempts_recorded: ');
    await app.database.query('UPDATE deliveries SET attempts = attempts - 7 WHERE event_id = $1', [eventId]);
  });

  it('verify --repair gives a place to events that were delivered without one, sends nothing again, and says what it did', async () => {
    const eventIds = [await record(), await record()];
    for (const eventId of eventIds) await ended(eventId, 'Delivered');
    // A fan-out of a version without the feed leaves events in this state.
    await app.database.query(
      `WITH gone AS (DELETE FROM feed f USING feed_heads h WHERE h.store_id = f.store_id AND f.event_id = ANY ($1) RETURNING f.store_id)
       UPDATE feed_heads h SET head = h.head - 2 FROM (SELECT DISTINCT store_id FROM gone) g WHERE h.store_id = g.store_id`,
      [eventIds],
    );
    const requests = receiver.received.length;
    expect((await tenon('verify')).out).toMatch(/events_placed\t2 violated/);
    const { status, out, err } = await tenon('verify', '--repair');
    expect([status, out.includes('violated')]).toEqual([0, false]);
    expect(err).toMatch(
      /events_placed: looked at \d+ rows and repaired 2\.\npending_queued: looked at \d+ rows and repaired 0\./,
    );
    const listed = await ofStore('events', 'list');
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual(eventIds.toReversed());
    const again = await record();
    await ended(again, 'Delivered');
    expect(receiver.received.slice(requests).map(({ headers }) => headers['webhook-id'])).toEqual([again]);
  });
});

describe('refused requests', () => {
  it('are watched as they happen, and explained by their id', async () => {
    let requestId = '';
    const call = async () => {
      const answer = await app.api('watched.test', 'not-a-token')('get', '/apps/catalog/products').expect(401);
      requestId = answer.headers['x-request-id'] ?? '';
    };
    expect(await watch(['requests', 'tail', '--status', '4xx'], call, '401')).toContain('GET /apps/catalog/products');
    // The request log does not have it yet.
    await call();
    const why = await tenon('requests', 'why', requestId);
    expect(why.out).toMatch(/check\ttoken/);
    expect(why.out).toMatch(/^why\tThe access token does not have the form .*\nhelp\tCopy it again\./m);
    expect((await tenon('requests', 'why', '019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11')).status).toBe(3);
  });
});

describe('tenon open', () => {
  it('prints a link that signs in to the console once', async () => {
    const { out } = await tenon('open');
    const [, code = ''] = /^http:\S+\/console\/#code=(\S+)\n$/.exec(out) ?? [];
    expect(code).not.toBe('');
    expect(out).toContain(app.adminUrl);
  });
});
