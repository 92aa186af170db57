import { describe, expect, it } from 'vitest';

import { EVENT_SCOPES, EVENT_TYPES, frozenBody, withDataJson, type NewEvent } from '../../../src/domain/webhooks/event.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const MAX_BYTES = 262_144;
const anEvent = (text: string): NewEvent => ({
  storeId: 'store',
  type: 'product.updated',
  resourceId: 'product',
  origin: null,
  data: { text },
});
const bytesOf = (body: string): number => new TextEncoder().encode(body).length;
const overhead = bytesOf(frozenBody(anEvent(''), 'event', TIME));

describe('the body of an event', () => {
  it('names the event, its type, its time and its store, then its data', () => {
    expect(frozenBody(anEvent('x'), 'event', TIME)).toBe(
      `{"id":"event","type":"product.updated","timestamp":"${TIME}","storeId":"store","data":{"text":"x"}}`,
    );
  });
  it('is the same when the JSON of its data was made beforehand', () => {
    for (const event of [anEvent('"x"\n'), anEvent('x'.repeat(MAX_BYTES))]) {
      expect(frozenBody(withDataJson(event), 'event', TIME)).toBe(frozenBody(event, 'event', TIME));
    }
  });
  it.each([
    ['a text of ASCII', 'a', MAX_BYTES - overhead],
    ['a text of two bytes a character', 'é', Math.floor((MAX_BYTES - overhead) / 2)],
    ['a text of three bytes a character', '€', Math.floor((MAX_BYTES - overhead) / 3)],
  ])('is kept up to 262,144 bytes, and over that shrinks to the id of the resource: %s', (_, character, most) => {
    const kept = frozenBody(anEvent(character.repeat(most)), 'event', TIME);
    expect(bytesOf(kept)).toBeGreaterThan(MAX_BYTES - 3);
    expect(frozenBody(anEvent(character.repeat(most + 1)), 'event', TIME)).toBe(
      `{"id":"event","type":"product.updated","timestamp":"${TIME}","storeId":"store","data":{"id":"product"}}`,
    );
  });
});

describe('the scope that an event type needs', () => {
  it.each([
    ['product', 'read_products'],
    ['inventory', 'read_products'],
    ['media', 'read_products'],
    ['collection', 'read_collections'],
    ['metaobject', 'read_metaobjects'],
    ['order', 'read_orders'],
  ])('every %s event needs %s', (resource, scope) => {
    const types = EVENT_TYPES.filter((type) => type.startsWith(`${resource}.`));
    expect(types).not.toEqual([]);
    expect(new Set(types.map((type) => EVENT_SCOPES[type]))).toEqual(new Set([scope]));
  });
});
