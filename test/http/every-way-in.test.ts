import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { variantBulkResponse } from '../../src/adapters/http/catalogue/variants.ts';
import { PRICE_RULE } from '../../src/domain/catalogue/price.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const EMOJI = '\u{1F600}';

describe('all ways to write a product have the same rules', () => {
  let server: OpenApp;
  let store: TestStore;
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore();
  });
  afterAll(() => server.close());

  const products = () => `/admin/stores/${store.id}/products`;
  const put = (document: object | string) => server.admin('put', `${products()}/${ID}`).type('json').send(document);
  const importOf = async (type: string, text: string) => {
    const { body } = await server.admin('post', `${products()}/import`).type(type).send(text);
    return body as { failed: number; errors: { message: string }[] };
  };
  const document = (price: string) => `{"name":"Saw","variants":[{"sku":"S","currency":"EUR","price":${price}}]}`;
  const csv = (price: string, image = '') => `Handle,Title,Variant SKU,Variant Price,Image Src\nsaw,Saw,S,${price},${image}\n`;

  describe.each(['-1', '1000000000000', '0.00001', '12.34560000000000000001'])('a price of %s is refused', (price) => {
    it('in PUT, as a number and as a string of digits', async () => {
      const answers = [await put(document(price)), await put(document(`"${price}"`))];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      for (const { body } of answers)
        expect(body).toMatchObject({ detail: expect.stringContaining('variants[0].price') as string });
    });
    it('in NDJSON', async () => {
      const report = await importOf('application/x-ndjson', `${document(price)}\n`);
      expect(report).toMatchObject({
        failed: 1,
        errors: [{ message: expect.stringContaining('variants[0].price') as string }],
      });
    });
    it('in CSV', async () => {
      const message = expect.stringContaining(`Variant Price ${JSON.stringify(price)} ${PRICE_RULE}`) as string;
      expect(await importOf('text/csv', csv(price))).toMatchObject({ failed: 1, errors: [{ message }] });
    });
  });

  it('the largest price is returned as it was sent', async () => {
    const answer = await put(document('999999999999.99'));
    expect([answer.status, answer.body]).toMatchObject([200, { variants: [{ price: 999_999_999_999.99 }] }]);
    expect(await importOf('text/csv', csv('999999999999.99'))).toMatchObject({ failed: 0 });
  });

  it('a media URL that is not absolute is refused in PUT, NDJSON and CSV', async () => {
    const fault = /must be an absolute http or https URL/;
    const relative = { name: 'Saw', media: [{ url: '/a.jpg' }] };
    expect((await put(relative)).body).toMatchObject({ detail: expect.stringMatching(fault) as string });
    const expected = { failed: 1, errors: [{ message: expect.stringMatching(fault) as string }] };
    expect(await importOf('application/x-ndjson', JSON.stringify(relative))).toMatchObject(expected);
    expect(await importOf('text/csv', csv('1', '//cdn.example/a.jpg'))).toMatchObject(expected);
  });

  it('an id of any version is one, in PUT, NDJSON, a bulk update and an answer, and is kept in lower case', async () => {
    const [warehouseId, id] = ['6F9619FF-8B86-D011-B42D-00C04FC964FF', 'B0000000-0000-0000-0000-00000000000B'];
    const inventory = [{ warehouseId, available: 1 }];
    const document = { id, name: 'Rasp', slug: 'rasp', variants: [{ sku: 'R', currency: 'EUR', inventory }] };
    const path = `${products()}/${id}`;
    expect((await server.admin('put', path).send(document)).body).toMatchObject({ id: id.toLowerCase() });
    const stock = [{ warehouseId, adjust: 4 }];
    const bulk = server.admin('post', `/admin/stores/${store.id}/variants/bulk`).set('Idempotency-Key', 'guid');
    const { body } = await bulk.send({ variants: [{ sku: 'R', stock }] }).expect(200);
    expect(variantBulkResponse.strict().parse(body).results).toMatchObject([{ stock: [{ available: 5 }] }]);
    const app = await server.anApp(store);
    const answer = await server
      .api(store.domain, await server.token(app))('get', `/apps/catalog/products/${id}`)
      .expect(200);
    const detail = answer.body as { variants: { inventory: object[] }[] };
    expect(detail.variants[0]?.inventory).toMatchObject([{ warehouseId: warehouseId.toLowerCase(), available: 5 }]);
    expect((await server.admin('put', path).send(detail)).status).toBe(200);
    expect(await importOf('application/x-ndjson', JSON.stringify(detail))).toMatchObject({ failed: 0, unchanged: 1 });
  });

  it('the longest SKU, tax code and URL of any characters are kept, and longer ones are refused', async () => {
    // Random, so that the database cannot compress it, and of four bytes each.
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join('');
    const longest = (more = '') => ({
      sku: { name: 'Saw', variants: [{ sku: random(255) + more, currency: 'EUR' }] },
      code: { name: 'Saw', taxClass: { name: 'T', code: random(255) + more } },
      url: { name: 'Saw', media: [{ url: `https://a.example/${random(2030)}${more}` }] },
    });
    for (const kept of Object.values(longest())) expect([(await put(kept)).status, kept]).toEqual([200, kept]);
    for (const [name, refused] of Object.entries(longest('x'))) {
      const { status, body } = await put(refused);
      const rule = expect.stringMatching(`${name} must have at most`) as string;
      expect([status, body]).toMatchObject([400, { detail: rule }]);
      const report = await importOf('application/x-ndjson', JSON.stringify(refused));
      expect(report).toMatchObject({ failed: 1, errors: [{ message: rule }] });
    }
  });

  describe('names are trimmed, and 255 emoji are 255 characters, 256 are too many', () => {
    const names: readonly [string, (name: string) => Promise<{ status: number; body: unknown }>, string][] = [
      ['a store', (name) => server.admin('patch', `/admin/stores/${store.id}`).send({ name }), 'name'],
      [
        'an app',
        (name) => server.admin('post', `/admin/stores/${store.id}/apps`).send({ name, scopes: [] }),
        'installation.name',
      ],
      ['a product', (name) => put({ name }), 'name'],
      ['a category', (name) => server.admin('put', `/admin/stores/${store.id}/categories/${ID}`).send({ name }), 'name'],
      [
        'a tax class',
        (name) => server.admin('put', `/admin/stores/${store.id}/tax-classes/${ID}`).send({ name, code: 'c' }),
        'name',
      ],
      [
        'a collection',
        (title) => server.admin('put', `/admin/stores/${store.id}/collections/${ID}`).send({ title, productIds: [] }),
        'title',
      ],
      [
        'a definition',
        (name) => server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/t`).send({ name, fields: [] }),
        'name',
      ],
      [
        'a field of a definition',
        (name) =>
          server
            .admin('put', `/admin/stores/${store.id}/metaobject-definitions/u`)
            .send({ name: 'U', fields: [{ key: 'k', type: 'json', name }] }),
        'fields.0.name',
      ],
    ];
    it.each(names)('%s', async (_of, send, field) => {
      const kept = async (name: string) => {
        const { status, body } = await send(name);
        expect([status, body]).toMatchObject([expect.toSatisfy((code: number) => code < 300), {}]);
        return field.split('.').reduce((value, key) => (value as Record<string, unknown>)[key], body);
      };
      expect(await kept(' \u00a0Saw\n')).toBe('Saw');
      expect(await kept(EMOJI.repeat(255))).toBe(EMOJI.repeat(255));
      expect((await send(EMOJI.repeat(256))).status).toBe(400);
      expect((await send(' \u3000 ')).status).toBe(400);
    });
  });

  it('a bulk update trims a name, and counts it in characters', async () => {
    expect((await put({ name: 'Saw' })).status).toBe(200);
    const call = server.api(store.domain, await server.token(await server.anApp(store)));
    const rename = async (name: string, key: string) => {
      const { body } = await call('post', '/apps/catalog/products/bulk')
        .set('Idempotency-Key', key)
        .send({ products: [{ id: ID, name }] });
      return (body as { results: { status: string; errorCode: string | null }[] }).results[0];
    };
    expect(await rename('  Saw\t', 'a')).toMatchObject({ status: 'Unchanged' });
    expect(await rename(EMOJI.repeat(255), 'b')).toMatchObject({ status: 'Updated' });
    expect(await rename(EMOJI.repeat(256), 'c')).toMatchObject({ errorCode: 'field_too_long' });
    expect(await rename(' \u00a0', 'd')).toMatchObject({ errorCode: 'name_required' });
  });

  it('a subscription’s description, an image’s alt text and a collection’s handle are counted in characters', async () => {
    const call = server.api(store.domain, await server.token(await server.anApp(store)));
    const subscribe = (description: string) =>
      call('post', '/apps/webhooks/subscriptions').send({
        url: 'https://hooks.example.com/',
        eventTypes: ['product.updated'],
        description,
      });
    expect([(await subscribe(EMOJI.repeat(256))).status, (await subscribe(EMOJI.repeat(257))).status]).toEqual([200, 400]);
    const image = (altText: string, key: string) =>
      call('post', '/apps/media/imports')
        .set('Idempotency-Key', key)
        .send({ items: [{ sourceUrl: 'https://images.example.com/a.jpg', productId: ID, altText }] });
    expect([(await image(EMOJI.repeat(1000), 'e')).status, (await image(EMOJI.repeat(1001), 'f')).status]).toEqual([202, 400]);
    const collection = `/admin/stores/${store.id}/collections/${ID}`;
    const handle = (text: string) => server.admin('put', collection).send({ title: 'T', handle: text, productIds: [] });
    expect([(await handle(`a${EMOJI.repeat(199)}`)).status, (await handle(`a${EMOJI.repeat(300)}`)).status]).toEqual([200, 400]);
  });
});
