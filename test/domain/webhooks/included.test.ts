import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { withIncluded } from '../../../src/domain/webhooks/included.ts';
import { sentBody } from '../../../src/domain/webhooks/sent-body.ts';
import { parseSubscription, type SubscriptionInput } from '../../../src/domain/webhooks/subscription.ts';

const PRODUCT = { id: 'p', name: 'Saw', variants: [{ sku: 'SAW-280', price: 5 }] };
const body = (data: object = { id: 'p', changedFields: ['name'] }) => JSON.stringify({ id: 'e', type: 'product.updated', data });
const included = (more: object = {}) => JSON.stringify({ product: PRODUCT, ...more });
const dataOf = (text: string): unknown => (JSON.parse(text) as { data: unknown }).data;

describe('a body with an included product', () => {
  it.each([
    ['the product', body(), included(), ['product'], { id: 'p', changedFields: ['name'], product: PRODUCT }],
    [
      'both, which is the product',
      body(),
      included(),
      ['product', 'product.variants'],
      { id: 'p', changedFields: ['name'], product: PRODUCT },
    ],
    [
      'its variants',
      body(),
      included(),
      ['product.variants'],
      { id: 'p', changedFields: ['name'], product: { id: 'p', variants: PRODUCT.variants } },
    ],
    [
      'a later state',
      body({ id: 'p' }),
      included({ asOf: 'later' }),
      ['product.variants'],
      { id: 'p', product: { id: 'p', variants: PRODUCT.variants }, asOf: 'later' },
    ],
    ['a product that was deleted', body({ id: 'p' }), '{"product":null}', ['product.variants'], { id: 'p', product: null }],
    [
      'a product that is too large',
      body({ id: 'p' }),
      '{"productOmitted":"too_large"}',
      ['product.variants'],
      { id: 'p', productOmitted: 'too_large' },
    ],
    ['data without members', body({}), included(), ['product'], { product: PRODUCT }],
  ])('has %s', (_, text, members, include, data) => {
    expect(dataOf(withIncluded(text, members, include))).toEqual(data);
  });
  it('is the event alone where nothing was stored with it', () => {
    expect(withIncluded(body(), null, ['product'])).toBe(body());
  });
  it('leaves the product out where both together are too large', () => {
    const large = JSON.stringify({ product: { ...PRODUCT, name: 'x'.repeat(200_000) } });
    const text = body({ id: 'p', note: 'y'.repeat(100_000) });
    expect(dataOf(withIncluded(text, large, ['product']))).toEqual({
      id: 'p',
      note: 'y'.repeat(100_000),
      productOmitted: 'too_large',
    });
  });
  it('has the fields of the subscription, and says as of when the product is', () => {
    const shape = {
      fields: ['product.name', 'product.variants.sku'],
      include: ['product'],
      included: included({ asOf: 'later' }),
    };
    const data = { id: 'p', product: { name: 'Saw', variants: [{ sku: 'SAW-280' }] }, asOf: 'later' };
    expect(dataOf(sentBody(body(), shape))).toEqual(data);
  });
});

describe('include of a subscription', () => {
  const parse = (input: Partial<SubscriptionInput>) =>
    parseSubscription({ url: 'https://a.test/x', eventTypes: ['product.updated'], ...input }, null, EVENT_FIELDS);

  it('is kept once each, and is null where it is empty', () => {
    expect(parse({ include: ['product.variants', 'product', 'product'] })).toMatchObject({
      value: { include: ['product', 'product.variants'] },
    });
    expect(parse({ include: [] })).toMatchObject({ value: { include: null } });
  });
  it('needs a type of events about products', () => {
    expect(parse({ include: ['product'], eventTypes: ['order.paid'] })).toMatchObject({
      message: 'include: eventTypes must have one of product.created, product.updated, product.deleted, inventory.updated.',
    });
  });
  it('lets fields name the product, which a filter cannot', () => {
    expect(parse({ include: ['product'], fields: ['product.variants.sku'] })).toMatchObject({ ok: true });
    expect(parse({ fields: ['product.variants.sku'] })).toMatchObject({ ok: false });
    const filter = { path: 'product.status', op: 'eq', value: 'Active' };
    expect(parse({ include: ['product'], filter })).toMatchObject({ ok: false });
  });
});
