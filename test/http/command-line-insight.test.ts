import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { withIdPrefix } from '../../src/adapters/cli/admin/id-prefix.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';

let app: OpenApp;
const STORE = 'insight.test';
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());

const run = (args: readonly string[], terminal = false) =>
  runCommand(args, { env: { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN, NO_COLOR: '1' }, terminal });
const out = async (...args: string[]): Promise<string> => {
  const { out: text, err, status } = await run([...args, '--store', STORE]);
  if (status !== 0) throw new Error(err);
  return text;
};
/** The first value of each line of a pipe. */
const ids = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => line.split('\t', 1))
    .filter(Boolean);

describe('what a store is asked at a terminal', () => {
  let made: TestApp;
  let call: ReturnType<OpenApp['api']>;
  beforeAll(async () => {
    const store = await app.aStore(STORE);
    made = await app.anApp(store, ['read_products', 'write_products']);
    call = app.api(STORE, await app.token(made));
    await call('get', '/apps/catalog/products/00000000-0000-4000-8000-000000000000').expect(404);
    for (const id of ['order-1', 'order-2']) await out('events', 'trigger', 'order.paid', '--set', `id=${id}`);
  });

  it('requests list has the refused ones, and requests why takes the beginning of an id', async () => {
    await eventually(async () => expect(await out('requests', 'list')).toContain('GET /apps/catalog/products'));
    const [id = ''] = ids(await out('requests', 'list', '--app', made.id));
    expect(await out('requests', 'list', '--status', '500')).toBe('');
    expect(await out('requests', 'why', id.slice(0, 18))).toContain(`id\t${id}\n`);
  });

  it('an id may be given by its beginning', async () => {
    let id = '';
    await eventually(async () => {
      [, id = ''] = ids(await out('events', 'list'));
      expect(id).not.toBe('');
    });
    for (const text of [id, id.slice(0, 23), id.slice(0, 23).toUpperCase()])
      expect(await out('events', 'get', text)).toContain(`id\t${id}\n`);
    for (const wrong of ['zzz', '00000000-0001', 'ffffffff'])
      expect(await run(['events', 'get', wrong, '--store', STORE])).toEqual({
        status: 3,
        out: '',
        err: `tenon: There is no event ${wrong}.\n`,
      });
  });

  it('stores and apps too', async () => {
    const { id, domain } = made.store;
    expect((await run(['store', 'get', id.slice(0, 18)])).out).toContain(domain);
    expect(await out('app', 'get', made.id.slice(0, 18))).toContain(`id\t${made.id}\n`);
  });

  it('search says what a text belongs to', async () => {
    expect(await out('search', 'order-1')).toMatch(/^event\t[0-9a-f-]{36}\torder\.paid\t/);
    expect(await out('search', 'order-3')).toBe('');
  });

  it('attention counts the requests that were refused, and says when there is nothing', async () => {
    await eventually(async () => expect(await out('attention')).toMatch(/^Requests refused\t1\t\t/m));
    await app.aStore('quiet.test');
    expect(await run(['attention', '--store', 'quiet.test'])).toEqual({
      status: 0,
      out: '',
      err: 'Nothing needs attention in quiet.test.\n',
    });
  });

  it('stats has a line for each step with activity', async () => {
    await eventually(async () =>
      expect(await out('stats', '--step', 'minute')).toMatch(/^\d{4}-[\d-]+T[\d:.]+Z\t0\t\t0\t0\t0\t1$/m),
    );
  });

  it('keys get shows the life of an idempotency key', async () => {
    const products = [{ id: '00000000-0000-4000-8000-000000000000', name: 'Plane' }];
    await call('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'k 1').send({ products }).expect(200);
    expect(await out('keys', 'get', 'k 1', '--app', made.id)).toContain('state\tfinished\n');
    expect((await run(['keys', 'get', 'none', '--app', made.id, '--store', STORE])).status).toBe(3);
  });

  it('products list and get find a product by its slug, its SKU and a text', async () => {
    const variants = [{ sku: 'PL-1', price: 12.5, currency: 'EUR' }];
    const documents = [
      { name: 'Block plane', slug: 'block-plane', status: 'Active', variants },
      { name: 'Saw', slug: 'saw' },
    ];
    const [id = ''] = await app.importProducts(made.store, documents);
    expect(ids(await out('products', 'list', '--search', 'plane'))).toEqual([id]);
    expect(ids(await out('products', 'list', '--limit', '1'))).toHaveLength(1);
    for (const named of [id, 'block-plane', 'PL-1']) expect(await out('products', 'get', named)).toContain('slug\tblock-plane\n');
    expect(await run(['products', 'get', 'none', '--store', STORE])).toMatchObject({
      status: 3,
      err: 'tenon: There is no product with the slug or SKU none.\n',
    });
    const shown = await run(['products', 'get', 'PL-1', '--store', STORE], true);
    expect(shown.out).toMatch(/^PL-1 +12\.5 EUR +[0-9a-f-]{36}$/m);
  });

  it('products get takes no other product for the one that is named', async () => {
    const sold = (sku: string) => [{ sku, price: 1, currency: 'EUR' }];
    await app.importProducts(made.store, [
      { name: 'Dovetail marker', slug: 'dm-1', variants: sold('DM-1') },
      { name: 'Marker like DM-1', slug: 'dm-10', variants: sold('DM-10') },
      { name: 'Twin', slug: 'twin-a', variants: sold('TWIN') },
      { name: 'Twin', slug: 'twin-b', variants: sold('TWIN') },
    ]);
    expect(await out('products', 'get', 'DM-1')).toContain('slug\tdm-1\n');
    for (const part of ['marker', 'DM', 'dovetail'])
      expect(await run(['products', 'get', part, '--store', STORE])).toMatchObject({ status: 3, out: '' });
    const { status, err } = await run(['products', 'get', 'TWIN', '--store', STORE]);
    expect(status).toBe(2);
    expect(err).toMatch(/Name one by its id:(?:\n {2}[0-9a-f-]{36} {2}Twin){2}\n$/);
  });

  it('search shows the whole id of a product on a terminal, since products get takes no beginning', async () => {
    await app.importProducts(made.store, [{ name: 'Spokeshave', slug: 'spokeshave' }]);
    const { out: found } = await run(['search', 'Spokeshave', '--store', STORE], true);
    expect(found).toMatch(/^product +[0-9a-f-]{36} +Spokeshave/m);
  });
});

describe('completion offers values of the server', () => {
  const offered = async (...words: string[]): Promise<string[]> => ids((await run(['complete', ...words])).out);

  beforeAll(() => app.aStore('shop-one.test'));

  it('domains of stores and names of apps', async () => {
    expect(await offered('app', 'list', '--store', 'shop-o')).toEqual(['shop-one.test']);
    expect(await offered('store', 'get', 'shop-o')).toEqual(['shop-one.test']);
    await run(['app', 'install', 'Stock sync', '--scopes', 'read_products', '--store', 'shop-one.test']);
    expect(await offered('deliveries', 'list', '--store', 'shop-one.test', '--app', 'St')).toEqual(['Stock sync']);
    expect(await offered('app', 'get', '--store=shop-one.test', '')).toContain('Stock sync');
    // With several stores, an id names the app's store.
    const [id = ''] = ids((await run(['app', 'list', '--store', 'shop-one.test'])).out);
    expect(await offered('app', 'get', '')).toContain(id);
    expect(await offered('app', 'get', id.slice(0, 30))).toEqual([id]);
  });

  it('ids of events, and the types that can be triggered', async () => {
    const inShop = ['--store', 'shop-one.test'];
    await run(['events', 'trigger', 'order.paid', ...inShop]);
    let id = '';
    // The list is the feed, in which a worker gives each event its place.
    await eventually(async () => {
      [id = ''] = ids((await run(['events', 'list', ...inShop])).out);
      expect(id).not.toBe('');
    });
    expect(await offered('events', 'get', ...inShop, id.slice(0, 20))).toEqual([id]);
    expect(await offered('events', 'trigger', 'order.p')).toContain('order.paid');
  });

  it('and nothing where the server does not answer', async () => {
    const env = { TENON_ADMIN_URL: 'http://127.0.0.1:1', TENON_ADMIN_TOKEN: 'x' };
    const { status, out: text, err } = await runCommand(['complete', 'store', 'get', 's'], { env });
    expect({ status, text, err }).toEqual({ status: 0, text: '', err: '' });
  });
});

it('several ids that begin alike are listed, and nothing is done', () => {
  const found = ['01a20e46-9800-7000', '01a20e46-9800-7001', '01a20e46-9801-7000'].map((start) => ({
    id: `${start}-84e7-8353b6771fdc`,
  }));
  expect(withIdPrefix(found, '01A20E46-9801')).toBe(found[2]);
  expect(withIdPrefix(found, '01a20e47')).toBeUndefined();
  expect(() => withIdPrefix(found, '01a20e46-9800')).toThrow(
    'Several ids begin with 01a20e46-9800. Give more of it:\n' +
      '  01a20e46-9800-7000-84e7-8353b6771fdc\n  01a20e46-9800-7001-84e7-8353b6771fdc',
  );
});
