import { describe, expect, it } from 'vitest';

import { EVENT_TYPES, LIFE_EVENT_TYPES } from '../../../src/domain/webhooks/event.ts';
import { cursorExpired, typesForApp, typesForMerchant, visibleTypes } from '../../../src/domain/webhooks/feed.ts';

describe('the types of an app', () => {
  it('are those that its scopes cover; a write_ scope includes its read_ scope', () => {
    expect(visibleTypes(['read_orders'])).toEqual(EVENT_TYPES.filter((type) => type.startsWith('order.')));
    expect(visibleTypes(['write_products'])).toContain('media.import_failed');
    expect(visibleTypes(['read_webhooks'])).toEqual([]);
  });

  it('are all of these where none is named', () => {
    expect(typesForApp([], ['read_collections'])).toMatchObject({
      value: ['collection.created', 'collection.updated', 'collection.deleted'],
    });
  });

  it('are the named ones, in any case, each once', () => {
    expect(typesForApp(['Order.Paid', 'order.paid', 'ORDER.*'], ['read_orders'])).toMatchObject({
      value: visibleTypes(['read_orders']),
    });
    expect(typesForApp(['order.paid'], ['read_orders'])).toMatchObject({ value: ['order.paid'] });
  });

  it('of a pattern begin with all of it', () => {
    expect(typesForApp(['media.*'], ['read_products', 'read_metaobjects'])).toMatchObject({
      value: EVENT_TYPES.filter((type) => type.startsWith('media.')),
    });
  });

  it('may be named without the scope, and are left out then', () => {
    expect(typesForApp(['order.*', 'product.created'], ['read_products'])).toMatchObject({ value: ['product.created'] });
  });

  it.each(['order', 'order.', 'order.lost', '*', '.*', 'lost.*', 'app.*', 'app.uninstalled', 'ping', ''])(
    'do not include what is not known: %s',
    (pattern) => {
      expect(typesForApp([pattern], ['read_orders'])).toMatchObject({ ok: false, code: 'invalid' });
    },
  );
});

describe('the types of the merchant', () => {
  it('are all where none is named', () => {
    expect(typesForMerchant([])).toMatchObject({ value: null });
  });
  it('include the life of apps', () => {
    expect(typesForMerchant(['app.*', 'order.paid'])).toMatchObject({ value: [...LIFE_EVENT_TYPES, 'order.paid'] });
  });
  it('do not include what is not known', () => {
    expect(typesForMerchant(['order.paid', 'ping'])).toMatchObject({ ok: false, message: 'Unknown event type: ping.' });
  });
});

describe('an expired cursor', () => {
  it.each(['history_changed', 'not_kept'] as const)('has the place to continue from, and the reason: %s', (reason) => {
    const details = { oldest: 'a-cursor', reason };
    expect(cursorExpired('a-cursor', reason)).toMatchObject({ ok: false, code: 'cursor_expired', details });
  });
  it('has a sentence of its own for each reason', () => {
    expect(cursorExpired('c', 'not_kept').message).not.toBe(cursorExpired('c', 'history_changed').message);
  });
});
