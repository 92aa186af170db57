import { describe, expect, it } from 'vitest';

import { EVENT_TYPES } from '../../../src/domain/webhooks/event.ts';
import { parseCursor } from '../../../src/domain/webhooks/feed-cursor.ts';
import { cursorExpired, parseAfter, typesForApp, typesForMerchant, visibleTypes } from '../../../src/domain/webhooks/feed.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';

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
  it('include the uninstallations', () => {
    expect(typesForMerchant(['app.*', 'order.paid'])).toMatchObject({ value: ['app.uninstalled', 'order.paid'] });
  });
  it('do not include what is not known', () => {
    expect(typesForMerchant(['order.paid', 'ping'])).toMatchObject({ ok: false, message: 'Unknown event type: ping.' });
  });
});

describe('the position that a request has passed', () => {
  it('is null without a cursor, latest, or the position of the cursor', () => {
    expect(parseAfter(STORE, undefined)).toMatchObject({ value: null });
    expect(parseAfter(STORE, 'latest')).toMatchObject({ value: 'latest' });
    const { oldest = '' } = cursorExpired(STORE, 7).details ?? {};
    expect(parseAfter(STORE, oldest)).toMatchObject({ value: 7 });
    expect(parseCursor(STORE, oldest)).toBe(7);
  });
  it('is refused where the cursor is not one', () => {
    expect(parseAfter(STORE, 'newest')).toMatchObject({ ok: false, code: 'invalid' });
  });
});
