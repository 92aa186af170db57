import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { parseAddress } from '../../../src/adapters/node/names/ip-address.ts';
import type { Scope } from '../../../src/domain/identity/scope.ts';
import { healthOf, isDeliverable } from '../../../src/domain/webhooks/deliverability.ts';
import {
  checkAddresses,
  parseSubscription,
  typesLost,
  type SubscriptionInput,
} from '../../../src/domain/webhooks/subscription.ts';

const parse = (input: SubscriptionInput, granted: readonly Scope[] | null) => parseSubscription(input, granted, EVENT_FIELDS);
const scopes: Scope[] = ['write_products', 'write_webhooks', 'read_metaobjects'];
const aSubscription = (more: Partial<SubscriptionInput> = {}): SubscriptionInput => ({
  url: 'https://hooks.example.com/x',
  eventTypes: ['product.updated'],
  ...more,
});
const refusalOf = (more: Partial<SubscriptionInput>, granted: Scope[] | null = scopes) => {
  const parsed = parse(aSubscription(more), granted);
  return parsed.ok ? null : parsed.message;
};
const url = (length: number) => `https://hooks.example.com/${'a'.repeat(length - 26)}`;

describe('1. url must be an absolute URL of at most 2048 characters and must not be a private address', () => {
  it.each([
    ['', 'url must be an absolute URL.'],
    ['hooks.example.com', 'url must be an absolute URL.'],
    ['/hooks', 'url must be an absolute URL.'],
    ['//hooks.example.com/x', 'url must be an absolute URL.'],
    ['https:hooks.example.com', 'url must be an absolute URL.'],
    ['https:///hooks.example.com', 'url must be an absolute URL.'],
    [' https://hooks.example.com', 'url must be an absolute URL.'],
    ['https://hooks.example.com/a b', 'url must be an absolute URL.'],
    ['https://hooks.exa\nmple.com/', 'url must be an absolute URL.'],
    ['https://', 'url must be an absolute URL.'],
    ['https://exa<mple.com', 'url must be an absolute URL.'],
    ['https://hooks.example.com:99999/', 'url must be an absolute URL.'],
    ['https://1.2.3.4.5/', 'url must be an absolute URL.'],
    ['ftp://hooks.example.com/', 'url must be an https URL.'],
    ['file:///etc/passwd', 'url must be an absolute URL.'],
    ['https://user:pw@hooks.example.com/', 'url must not contain credentials.'],
    ['https://user@hooks.example.com/', 'url must not contain credentials.'],
    ['https://@hooks.example.com/', 'url must not contain credentials.'],
    ['https://:@hooks.example.com/x', 'url must not contain credentials.'],
    ['https://@:8443/', 'url must be an absolute URL.'],
    ['https://\\@hooks.example.com/', 'url must be an absolute URL.'],
    ['https://hooks.example.com:0/', 'url must not use port 0.'],
    ['https://8.8.8.8:00/', 'url must not use port 0.'],
    ['https://hooks..example.com/', 'url must have a host name of the public DNS.'],
    ['https://a..b/', 'url must have a host name of the public DNS.'],
    ['https://.example.com/', 'url must have a host name of the public DNS.'],
    ['https://*.com/', 'url must have a host name of the public DNS.'],
    ['https://*.example.com/', 'url must have a host name of the public DNS.'],
    ['https://-hooks.example.com/', 'url must have a host name of the public DNS.'],
    ['https://hooks-.example.com/', 'url must have a host name of the public DNS.'],
    ["https://hooks'.example.com/", 'url must have a host name of the public DNS.'],
    ['https://hooks.invalid/', 'url must have a host name of the public DNS.'],
    ['https://HOOKS.Invalid./', 'url must have a host name of the public DNS.'],
    ['https://expyuzz4wqqyqhjn.onion/', 'url must have a host name of the public DNS.'],
    [`https://${'a'.repeat(64)}.example.com/`, 'url must have a host name of the public DNS.'],
    [`https://${'a.'.repeat(126)}com/`, 'url must have a host name of the public DNS.'],
    ['https://localhost/', 'url must not have a local host name.'],
    ['https://LOCALHOST./', 'url must not have a local host name.'],
    ['https://a.localhost/', 'url must not have a local host name.'],
    ['https://printer.local/', 'url must not have a local host name.'],
    ['https://db.internal:8443/', 'url must not have a local host name.'],
    ['https://db.internal./', 'url must not have a local host name.'],
    ['https://nas.home.arpa/', 'url must not have a local host name.'],
    ['https://home.arpa/', 'url must not have a local host name.'],
    ['https://localhost../', 'url must not have a local host name.'],
    ['https://intranet/', 'url must not have a local host name.'],
    ['https://%6c%6f%63%61lhost/', 'url must not have a local host name.'],
    ['https://ｌｏｃａｌｈｏｓｔ/', 'url must not have a local host name.'],
    [url(2049), 'url must have at most 2048 characters.'],
  ])('%s', (text, message) => expect(refusalOf({ url: text })).toBe(message));

  it.each([
    [url(2048)],
    ['https://hooks.example.com'],
    ['HTTPS://Hooks.Example.com:8443/x?y=1#z'],
    ['https://localhost.example.com/'],
    ['https://hooks.mylocal/'],
    ['https://hooks.myinvalid/'],
    ['https://hooks.example.com./'],
    ['https://hooks.example.com/?to=a@b#c@d'],
    ['https://hooks.example.com/@x/:@y'],
    ['https://my_app.example.com/'],
    ['https://xn--bcher-kva.de/'],
    ['https://bücher.de/x'],
    [`https://${'a'.repeat(63)}.example.com/`],
    ['https://8.8.8.8/'],
    ['https://[2606:4700::1111]:8443/'],
  ])('%s is accepted', (text) => expect(refusalOf({ url: text })).toBeNull());

  const host = (text: string) => {
    const parsed = parse(aSubscription({ url: text }), scopes);
    return parsed.ok ? parsed.value.host : parsed.message;
  };
  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
  ])('%s is judged as 127.0.0.1', (text) => {
    expect(host(text)).toBe('127.0.0.1');
    expect(checkAddresses([parseAddress(host(text)) ?? new Uint8Array()], true, [])).toMatchObject({
      message: 'url must not be a private address.',
    });
  });
  it.each([
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fe80::1]/',
  ])('%s is judged as an address', (text) => {
    expect(parseAddress(host(text))).not.toBeNull();
    expect(checkAddresses([parseAddress(host(text)) ?? new Uint8Array()], true, [])).toMatchObject({
      message: 'url must not be a private address.',
    });
  });

  const loopback = Uint8Array.of(127, 0, 0, 1);
  const open = Uint8Array.of(8, 8, 8, 8);
  const allowed = [{ network: Uint8Array.of(127, 0, 0, 0), prefix: 8 }];
  it.each([
    ['a public address', [open], true, [], null],
    ['one private address among public ones', [open, loopback], true, [], 'url must not be a private address.'],
    ["a name that doesn't resolve yet", [], true, [], null],
    ["http to a name that doesn't resolve yet", [], false, allowed, 'url must be an https URL.'],
    ['http to a public address', [open], false, allowed, 'url must be an https URL.'],
    ['http to an allowed address', [loopback], false, allowed, null],
    ['http where only one address is allowed', [loopback, open], false, allowed, 'url must be an https URL.'],
    ['https to an allowed address', [loopback], true, allowed, null],
  ])('https is the intended scheme: %s', (_, addresses, secure, ranges, message) => {
    expect(checkAddresses(addresses, secure, ranges)?.message ?? null).toBe(message);
  });
});

describe("2. Each entry must be a known event type, compared case-insensitively, that the installation's scopes allow it to receive", () => {
  it('is stored in catalogue spelling without repeats', () => {
    const parsed = parse(aSubscription({ eventTypes: ['PRODUCT.Updated', 'inventory.updated', 'product.updated'] }), scopes);
    expect(parsed).toMatchObject({ value: { eventTypes: ['product.updated', 'inventory.updated'] } });
  });
  it.each([['product.renamed'], ['ping'], ['*'], [''], ['product.updated '], ['app.uninstalled'], ['constructor']])(
    '%j is unknown',
    (type) => {
      expect(refusalOf({ eventTypes: [type] })).toBe(`Unknown event type: ${type}.`);
    },
  );
  it('names at most ten unknown types, each cut to 64 characters', () => {
    const types = Array.from({ length: 11 }, (_, n) => `t${String(n)}`);
    expect(refusalOf({ eventTypes: types })).toBe(`Unknown event type: ${types.slice(0, 10).join(', ')}.`);
    expect(refusalOf({ eventTypes: ['x'.repeat(64), 'product.updated'] })).toBe(`Unknown event type: ${'x'.repeat(64)}.`);
    expect(refusalOf({ eventTypes: ['x'.repeat(65)] })).toBe(`Unknown event type: ${'x'.repeat(64)}.`);
  });
  it('Event types under order.* need read_orders, which write_orders brings', () => {
    expect(refusalOf({ eventTypes: ['order.paid', 'order.shipped'] }, ['read_orders'])).toBeNull();
    expect(refusalOf({ eventTypes: ['order.paid'] }, ['write_orders'])).toBeNull();
  });
  it('the merchant receives everything, the end of an app too', () => {
    expect(refusalOf({ eventTypes: ['order.paid', 'app.uninstalled', 'collection.created'] }, null)).toBeNull();
  });
});

describe('3. description, when given, has at most 256 characters', () => {
  it.each([
    [undefined, null],
    [null, null],
    ['', null],
    ['a'.repeat(256), null],
    ['a'.repeat(257), 'description must have at most 256 characters.'],
  ])('%j', (description, message) => expect(refusalOf({ description })).toBe(message));
  it.each([
    ['of several words', 'of several words'],
    [null, null],
    [undefined, null],
  ])('%j is kept as %j', (description, kept) => {
    expect(parse(aSubscription({ description }), scopes)).toMatchObject({ value: { description: kept } });
  });
});

it('4. No secret is sent: nothing of the input but url, eventTypes and description is kept', () => {
  const parsed = parse({ ...aSubscription(), secret: 'x' } as SubscriptionInput, scopes);
  expect(JSON.stringify(parsed)).not.toContain('secret');
});

describe("5. the error text names the event and the missing scope, in the form 'This installation cannot receive: <event> (needs <scope>).'", () => {
  it.each([
    [['order.paid'], 'This installation cannot receive: order.paid (needs read_orders).'],
    [['ORDER.Paid'], 'This installation cannot receive: order.paid (needs read_orders).'],
    [['product.updated', 'collection.created'], 'This installation cannot receive: collection.created (needs read_collections).'],
    [
      ['order.paid', 'order.shipped'],
      'This installation cannot receive: order.paid (needs read_orders), order.shipped (needs read_orders).',
    ],
  ])('%j', (eventTypes, message) => expect(refusalOf({ eventTypes })).toBe(message));
});

it('6. An empty eventTypes is refused', () => expect(refusalOf({ eventTypes: [] })).toBe('eventTypes must not be empty.'));

it.each<[string, Partial<SubscriptionInput>]>([
  ['url', { url: 'https://localhost/' }],
  ['number of event types', { eventTypes: [] }],
  ['unknown event type', { eventTypes: ['order.lost'] }],
  ['event type beyond the scopes', { eventTypes: ['order.paid'] }],
  ['description', { description: 'a'.repeat(257) }],
])('the refusal of a wrong %s has the code of an invalid request', (_, more) => {
  expect(parse(aSubscription(more), scopes)).toMatchObject({ ok: false, code: 'invalid' });
});

it('the refusal of an address has the code of an invalid request', () => {
  expect(checkAddresses([Uint8Array.of(127, 0, 0, 1)], true, [])).toMatchObject({ ok: false, code: 'invalid' });
});

describe('isDeliverable = active, installation live, store active, secret present, scopes still cover every event type, breaker closed', () => {
  const state = {
    isActive: true,
    hasSigningSecret: true,
    eventTypes: ['product.updated', 'metaobject.created'] as const,
    storeStatus: 'Active' as const,
    installationStatus: 'Installed' as const,
    scopes,
    isPaused: false,
    breakerClosed: true,
  };
  it.each([
    ['all of it', {}, true],
    ["the merchant's own", { installationStatus: null, scopes: null, eventTypes: ['app.uninstalled' as const] }, true],
    ['not active', { isActive: false }, false],
    ['suspended', { installationStatus: 'Suspended' as const }, false],
    ['uninstalled', { installationStatus: 'Uninstalled' as const }, false],
    ['store not active', { storeStatus: 'Inactive' as const }, false],
    ['no secret', { hasSigningSecret: false }, false],
    ['a scope is lost', { scopes: ['read_products'] as Scope[] }, false],
    ['paused by the merchant', { isPaused: true }, false],
    ['breaker open', { breakerClosed: false }, false],
    ["an app's with an event of the merchant alone", { eventTypes: ['app.uninstalled' as const] }, false],
  ])('%s', (_, more, deliverable) => expect(isDeliverable({ ...state, ...more })).toBe(deliverable));
});

describe('the health of a subscription', () => {
  const state = {
    isActive: true,
    hasSigningSecret: true,
    eventTypes: ['product.updated', 'metaobject.created'] as const,
    storeStatus: 'Active' as const,
    installationStatus: 'Installed' as const,
    scopes,
    isPaused: false,
    breakerClosed: true,
  };
  const HEALTHY = { failingSince: null, nextProbeAt: null, isProbeDue: false, pausedAt: null, deactivatedAt: null };
  const failing = {
    failingSince: '2026-01-01T00:00:00.000Z',
    nextProbeAt: '2026-01-02T00:00:00.000Z',
    isProbeDue: false,
    pausedAt: null,
    deactivatedAt: null,
  };

  it('names every obstacle, in the order of the rule', () => {
    expect(healthOf(state, HEALTHY).notDeliverableBecause).toEqual([]);
    const worst = {
      isActive: false,
      hasSigningSecret: false,
      storeStatus: 'Inactive',
      installationStatus: 'Suspended',
      scopes: [],
      isPaused: true,
      breakerClosed: false,
    } as const;
    expect(healthOf({ ...state, ...worst }, HEALTHY).notDeliverableBecause).toEqual([
      'deactivated',
      'app_suspended',
      'store_inactive',
      'no_signing_secret',
      'scope_lost',
      'paused_by_merchant',
      'paused_after_failures',
    ]);
    expect(healthOf({ ...state, installationStatus: 'Uninstalled' }, HEALTHY).notDeliverableBecause).toEqual(['app_uninstalled']);
  });
  it('a subscription that does not fail waits for nothing', () => {
    const { notDeliverableBecause: _, ...shown } = healthOf(state, HEALTHY);
    expect(shown).toEqual({
      breaker: 'closed',
      failingSince: null,
      nextProbeAt: null,
      deactivatesAt: null,
      pausedAt: null,
      deactivatedAt: null,
      deactivatedBecause: null,
    });
  });
  it('a subscription that fails is deactivated after 120 hours', () => {
    const shown = healthOf(state, failing);
    expect(shown).toMatchObject({
      failingSince: failing.failingSince,
      nextProbeAt: failing.nextProbeAt,
      breaker: 'open',
      deactivatesAt: '2026-01-06T00:00:00.000Z',
    });
    expect(healthOf(state, { ...failing, isProbeDue: true }).breaker).toBe('probing');
  });
  it('a subscription that the merchant pauses is not deactivated', () => {
    expect(healthOf(state, { ...failing, pausedAt: '2026-01-01T01:00:00.000Z' }).deactivatesAt).toBeNull();
  });
  it('a deactivated subscription gets no probe and is not deactivated again', () => {
    const shown = healthOf({ ...state, isActive: false }, { ...failing, deactivatedAt: failing.failingSince });
    expect(shown).toMatchObject({ failingSince: failing.failingSince, nextProbeAt: null, deactivatesAt: null });
  });
  it.each([
    ['answered_410', '2026-01-05T23:59:59.999Z'],
    ['failed_for_120_hours', '2026-01-06T00:00:00.000Z'],
  ])('says that it was deactivated because it %s', (because, deactivatedAt) => {
    const shown = healthOf({ ...state, isActive: false }, { ...failing, deactivatedAt });
    expect(shown).toMatchObject({ deactivatedAt, deactivatedBecause: because });
  });
});

describe('the event types that an app loses with its scopes', () => {
  it.each<[string, Scope[], Scope[], string[]]>([
    [
      'every type of a scope that is gone, in the order of the catalogue',
      ['read_collections', 'read_metaobjects'],
      ['read_collections'],
      ['metaobject.created', 'metaobject.updated', 'metaobject.deleted'],
    ],
    ['none when the write scope stays', ['read_collections', 'write_collections'], ['write_collections'], []],
    ['none that it did not have', ['read_webhooks'], [], []],
    ['none with more scopes', ['read_collections'], ['read_collections', 'read_products'], []],
  ])('are %s', (_, before, after, lost) => expect(typesLost(before, after)).toEqual(lost));
});
