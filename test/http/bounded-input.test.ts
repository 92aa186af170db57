import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { judge } from '../../src/adapters/http/serving/input/judge.ts';
import { parseJson } from '../../src/adapters/http/serving/input/json.ts';
import { listOf, mapOf } from '../../src/adapters/http/kit/bounded.ts';
import { MAX_FAULTS } from '../../src/domain/values/fault-list.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

/** A schema that refuses everything and counts how often it was asked. */
const counting = () => {
  let calls = 0;
  const schema = z.unknown().refine(() => {
    calls += 1;
    return false;
  }, 'bad');
  return { schema, calls: () => calls };
};

const MILLION = Array.from({ length: 1_000_000 }, () => 0);
const KEYS = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${String(at)}`, 0]));

describe('a list and a map are counted before their elements are validated', () => {
  it('too many elements give one error, and none of them is validated', () => {
    const list = counting();
    expect(judge(listOf(list.schema, { max: 250 }), { value: MILLION })).toMatchObject({
      message: 'body: must have at most 250 elements',
    });
    const map = counting();
    expect(judge(mapOf(map.schema, { max: 200 }), { value: KEYS })).toMatchObject({
      message: 'body: must have at most 200 members',
    });
    expect([list.calls(), map.calls()]).toEqual([0, 0]);
  });

  it('too few elements give one error, and none of them is validated', () => {
    const list = counting();
    expect(judge(listOf(list.schema, { min: 2, max: 3 }), { value: [0] })).toMatchObject({
      message: 'body: must have at least 2 elements',
    });
    expect(list.calls()).toBe(0);
  });

  it('validation stops at the twentieth error', () => {
    const list = counting();
    const judged = judge(listOf(list.schema, { max: 1_000_000 }), { value: MILLION });
    expect(Object.keys(judged.ok ? {} : (judged.errors ?? {}))).toHaveLength(MAX_FAULTS);
    const map = counting();
    judge(mapOf(map.schema, { max: 100_000 }), { value: KEYS });
    const nested = counting();
    judge(listOf(listOf(nested.schema, { max: 1_000 }), { max: 1_000 }), { value: MILLION.slice(0, 1_000).map(() => [0, 0, 0]) });
    expect([list.calls(), map.calls()]).toEqual([MAX_FAULTS, MAX_FAULTS]);
    expect(nested.calls()).toBeLessThanOrEqual(MAX_FAULTS + 3);
  });

  it('valid values are read as by the arrays and records of zod', () => {
    const element = z.object({ a: z.string().transform((text) => text.length) });
    const value = [{ a: 'x', b: 1 }, { a: '' }];
    expect(judge(listOf(element, { max: 2 }), { value })).toEqual({ ok: true, value: z.array(element).parse(value) });
    const map = { en: { a: 'x' } };
    expect(judge(mapOf(element, { max: 2 }), { value: map })).toEqual({
      ok: true,
      value: z.record(z.string(), element).parse(map),
    });
    for (const wrong of [null, 'a', {}, 1]) expect(judge(listOf(element, { max: 2 }), { value: wrong }).ok).toBe(false);
    for (const wrong of [null, 'a', [], 1]) expect(judge(mapOf(element, { max: 2 }), { value: wrong }).ok).toBe(false);
  });

  it('the OpenAPI document has both limits', () => {
    const json = z.toJSONSchema(
      z.object({ a: listOf(z.string(), { min: 1, max: 3 }).optional(), b: mapOf(z.string(), { max: 4 }) }),
    );
    expect(json).toMatchObject({
      properties: { a: { minItems: 1, maxItems: 3, items: {} }, b: { maxProperties: 4, additionalProperties: {} } },
    });
  });
});

describe('parseJson of 2 MiB of tiny elements', () => {
  // About 30 ms on the slowest machine that was seen; the bound only catches work that is not linear.
  it.each([
    ['zeros', `[${'0,'.repeat(1_048_574)}0]`],
    ['empty objects', `[${'{},'.repeat(59_000)}{}]`],
    ['empty arrays', `[${'[],'.repeat(59_000)}[]]`],
    ['numbers of 17 digits', `[${'1.2345678901234567,'.repeat(110_000)}0]`],
    ['members', `[${'{"a":0,"b":0},'.repeat(29_999)}{}]`],
    ['names', `{${Array.from({ length: 10_000 }, (_, at) => `"${at.toString(36)}":0`).join()}}`],
  ])('%s', (_name, text) => {
    const start = performance.now();
    expect(parseJson(Buffer.from(text)).ok).toBe(true);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('every route that takes an array or an object of any size', () => {
  let server: OpenApp;
  let store: TestStore;
  let app: TestApp;
  let token: string;
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore();
    app = await server.anApp(store);
    token = await server.token(app);
    const fields = [
      { key: 'title', type: 'single_line_text' },
      { key: 'weight', type: 'decimal' },
      { key: 'count', type: 'integer' },
      { key: 'data', type: 'json' },
      { key: 'price', type: 'money' },
      { key: 'weights', type: 'decimal', list: true },
    ];
    await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/t`).send({ name: 'T', fields }).expect(200);
  });
  afterAll(() => server.close());

  let sent = 0;
  const send = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: string) => {
    const isAdmin = path.startsWith('/admin');
    const verb = method.toLowerCase() as 'post' | 'put' | 'patch';
    const call = isAdmin ? server.admin(verb, path) : server.api(store.domain, token)(verb, path);
    sent += 1;
    return call
      .set('Idempotency-Key', `bounded-${String(sent)}`)
      .set('Content-Type', 'application/json')
      .send(body);
  };
  const ID = '019a0000-0000-7000-8000-000000000001';
  const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
  const members = (count: number, value = '0') =>
    `{${Array.from({ length: count }, (_, at) => `"key-${String(at)}":${value}`).join()}}`;
  const ENTRY = '/custom-data/metaobjects/t/entries/e';
  const admin = (path: string) => `/admin/stores/${store.id}/${path}`;

  it.each<readonly [string, 'POST' | 'PUT' | 'PATCH', () => string, () => string]>([
    ['a bulk update', 'POST', () => '/apps/catalog/products/bulk', () => `{"products":${zeros(1_000_000)}}`],
    ['a bulk update of variants', 'POST', () => '/apps/catalog/variants/bulk', () => `{"variants":${zeros(1_000_000)}}`],
    [
      'the stock of a variant',
      'POST',
      () => '/apps/catalog/variants/bulk',
      () => `{"variants":[{"id":"${ID}","stock":${zeros(500_000)}}]}`,
    ],
    ['a media import', 'POST', () => '/apps/media/imports', () => `{"items":${zeros(500_000)}}`],
    ['an entry with unknown fields', 'PUT', () => ENTRY, () => `{"fields":${members(55_000)}}`],
    ['an entry with many locales', 'PUT', () => ENTRY, () => `{"fields":{},"translations":${members(55_000, '{}')}}`],
    [
      'a translation with unknown fields',
      'PUT',
      () => ENTRY,
      () => `{"fields":{},"translations":{"de":{"fields":${members(55_000)}}}}`,
    ],
    ['an entry’s list', 'PUT', () => ENTRY, () => `{"fields":{"weights":${zeros(400_000)}}}`],
    [
      'a subscription',
      'POST',
      () => '/apps/webhooks/subscriptions',
      () => `{"url":"https://a.example/","eventTypes":${zeros(500_000)}}`,
    ],
    ['scopes', 'POST', () => admin('apps'), () => `{"name":"A","scopes":${zeros(500_000)}}`],
    ['an event', 'POST', () => admin('events'), () => `{"type":"order.paid","data":${members(55_000)}}`],
    ['a collection, not ids', 'PUT', () => admin(`collections/${ID}`), () => `{"title":"T","productIds":${zeros(90_000)}}`],
    ['a collection, too many', 'PUT', () => admin(`collections/${ID}`), () => `{"title":"T","productIds":${zeros(500_000)}}`],
    [
      'a collection with every id twice',
      'PUT',
      () => admin(`collections/${ID}`),
      () =>
        `{"title":"T","productIds":${JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ID.slice(0, -5) + String(10_000 + (at % 10_000))))}}`,
    ],
    ['a definition', 'PUT', () => admin('metaobject-definitions/u'), () => `{"name":"U","fields":${zeros(500_000)}}`],
    [
      'choices',
      'PUT',
      () => admin('metaobject-definitions/u'),
      () => `{"name":"U","fields":[{"key":"k","type":"decimal","validations":{"choices":${zeros(500_000)}}}]}`,
    ],
    [
      'unknown validations',
      'PUT',
      () => admin('metaobject-definitions/u'),
      () => `{"name":"U","fields":[{"key":"k","type":"decimal","validations":${members(55_000)}}]}`,
    ],
    ['a product with too many tags', 'PUT', () => admin(`products/${ID}`), () => `{"name":"P","tags":${zeros(500_000)}}`],
    [
      'a product with lists within lists',
      'PUT',
      () => admin(`products/${ID}`),
      () => `{"name":"P","variants":[${Array.from({ length: 50 }, () => `{"inventory":${zeros(9_000)}}`).join()}]}`,
    ],
    ['a product with many locales', 'PUT', () => admin(`products/${ID}`), () => `{"name":"P","translations":${members(55_000)}}`],
  ])('%s: 400 with at most 20 faults and a short body', async (_name, method, path, body) => {
    const answer = await send(method, path(), body());
    expect(answer.status).toBe(400);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(8_192);
    const { errors = {} } = answer.body as { errors?: Record<string, string[]> };
    expect(Object.values(errors).flat().length).toBeLessThanOrEqual(MAX_FAULTS);
  });

  it('a field name of 100,000 characters is not sent back whole', async () => {
    const answer = await send('PUT', ENTRY, `{"fields":{"${'x'.repeat(100_000)}":1}}`);
    expect([answer.status, answer.text.length < 2_000]).toEqual([400, true]);
  });

  it('the number of products is checked against BULK_MAX_PRODUCTS before their fields are', async () => {
    const answer = await send('POST', '/apps/catalog/products/bulk', `{"products":${zeros(251)}}`);
    expect([answer.status, answer.body]).toEqual([400, { error: 'products must have 1 to 250 elements.' }]);
    const fields = await send('POST', '/apps/catalog/products/bulk', `{"products":${zeros(250)}}`);
    expect((fields.body as { error: string }).error.split('; ')).toHaveLength(MAX_FAULTS);
  });

  describe('a number that a 64-bit float cannot hold exactly', () => {
    const put = (fields: string) => send('PUT', ENTRY, `{"fields":${fields}}`);
    const fault = 'cannot be kept exactly: at most 15 significant digits always fit, and zero has no sign';

    it.each([
      ['fields.data', '{"data":9007199254740993}'],
      ['fields.data.a[1].b', '{"title":"t","data":{"x":1,"a":[2,{"c":[3],"b":12345678901234567890}]}}'],
      ['fields.weight', '{"weight":0.12345678901234567891}'],
      ['fields.weights[1]', '{"weights":[1,1.00000000000000000001]}'],
      ['fields.weight', '{"weight":-0}'],
      ['fields.data', '{"data":-0}'],
      ['fields.data[1].x', '{"data":[0,{"x":-0.0}]}'],
      ['fields.price.amount', '{"price":{"amount":99999999999999.9999,"currencyCode":"EUR"}}'],
    ])('%s is refused, and the message names its place', async (path, fields) => {
      const { status, body } = await put(fields);
      expect([status, body]).toMatchObject([400, { errors: { [path]: [fault] } }]);
    });

    it('a null of json is kept, and a null of another type is left out', async () => {
      expect((await put('{"data":null,"weight":null}')).status).toBe(200);
      const { body } = await server.admin('get', admin(`metaobjects/${ENTRY.split('/')[3] ?? ''}`));
      expect((body as { items: { fields: unknown }[] }).items.map(({ fields }) => fields)).toContainEqual({ data: null });
    });

    it.each([
      '{"weight":"0.12345678901234567891"}',
      '{"count":"9007199254740993"}',
      '{"count":9007199254740993}',
      '{"count":"-0"}',
      '{"weight":"-0.0"}',
    ])('%s is refused too', async (fields) => {
      expect((await put(fields)).status).toBe(400);
    });

    it.each([
      '{"data":[9007199254740992,0.1,1e300,-1.5e-7,12.50]}',
      '{"weight":"0.1234567890123456"}',
      '{"weight":1.10}',
      '{"count":"9007199254740991"}',
    ])('%s is accepted', async (fields) => {
      expect((await put(fields)).status).toBe(200);
    });

    it('that is accepted is returned as it was sent', async () => {
      await put('{"data":[9007199254740992,0.1,1e300,123456789.12345678]}');
      const { body } = await server.admin('get', admin('metaobjects/t'));
      expect(body).toMatchObject({ items: [{ fields: { data: [9007199254740992, 0.1, 1e300, 123456789.12345678] } }] });
    });

    it('is refused in a product document, in NDJSON, in an event and in a definition', async () => {
      const document = '{"name":"P","ratingAverage":4.10000000000000000001}';
      expect((await send('PUT', admin(`products/${ID}`), document)).body).toMatchObject({ errors: { ratingAverage: [fault] } });
      const ndjson = server.admin('post', admin('products/import')).type('application/x-ndjson').send(document);
      expect((await ndjson).body).toMatchObject({ failed: 1, errors: [{ line: 1, message: `ratingAverage: ${fault}` }] });
      const event = '{"type":"order.paid","data":{"total":9007199254740993}}';
      expect((await send('POST', admin('events'), event)).body).toMatchObject({ errors: { 'data.total': [fault] } });
      const definition = '{"name":"U","fields":[{"key":"k","type":"decimal","validations":{"max":9007199254740993}}]}';
      expect((await send('PUT', admin('metaobject-definitions/u'), definition)).status).toBe(400);
    });

    it('is ignored in a field that is ignored', async () => {
      const body = `{"products":[{"id":"${ID}","externalId":12345678901234567890}],"batch":9007199254740993}`;
      expect((await send('POST', '/apps/catalog/products/bulk', body)).status).toBe(200);
    });
  });
});
