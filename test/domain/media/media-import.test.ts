import { describe, expect, it } from 'vitest';

import { importEvents } from '../../../src/domain/media/import-events.ts';
import {
  hasEnded,
  importView,
  UNINSTALLED,
  withOutcome,
  type ItemOutcome,
  type MediaImport,
} from '../../../src/domain/media/media-import.ts';
import { parseItems, type ItemInput } from '../../../src/domain/media/import-request.ts';
import { mediaAdded, mediaTarget, newMedia } from '../../../src/domain/catalogue/product-media.ts';
import type { Media, Product } from '../../../src/domain/catalogue/product.ts';

const PRODUCT = '00000000-0000-7000-8000-00000000000a';
const anItem = (over: Partial<ItemInput> = {}): ItemInput => ({ sourceUrl: 'https://x.test/a.png', productId: PRODUCT, ...over });
const messageOf = (...items: ItemInput[]): string | null => {
  const parsed = parseItems(items);
  if (parsed.ok) return null;
  expect(parsed.code).toBe('invalid');
  return parsed.message;
};

describe('a request for an import', () => {
  it('1 to 20 items', () => {
    expect(messageOf()).toBe('items must have 1 to 20 elements.');
    expect(messageOf(...Array.from({ length: 20 }, () => anItem()))).toBeNull();
    expect(messageOf(...Array.from({ length: 21 }, () => anItem()))).toBe('items must have 1 to 20 elements.');
  });
  it('an absent field has its default: no variant, no text, after the last media, not generated', () => {
    const content = { productVariantId: null, altText: null, position: null, aiGenerated: false };
    expect(parseItems([anItem()])).toEqual({ ok: true, value: [{ ...anItem(), ...content }] });
    const given = { productVariantId: PRODUCT, altText: '', position: 0, aiGenerated: true };
    expect(parseItems([anItem(given)])).toEqual({ ok: true, value: [anItem(given)] });
  });
  it.each(['https://x.test/a.png?b=c#d', 'HTTP://127.0.0.1:8080/a', 'https://localhost/a', `https://x.test/${'a'.repeat(2033)}`])(
    'an address is not judged by its host here: %s',
    (sourceUrl) => {
      expect(messageOf(anItem({ sourceUrl }))).toBeNull();
    },
  );
  it.each([
    ['', 'must be an absolute https URL'],
    ['/a.png', 'must be an absolute https URL'],
    ['ftp://x.test/a', 'must be an absolute https URL'],
    ['data:image/png;base64,AA==', 'must be an absolute https URL'],
    ['https://', 'must be an absolute https URL'],
    ['https://x.test/a b', 'must be an absolute https URL'],
    [' https://x.test/a', 'must be an absolute https URL'],
    ['https://x.test:99999/', 'must be an absolute https URL'],
    ['https://x.test:25/', 'must not use port 25, which belongs to another protocol'],
    ['https://a:b@x.test/', 'must not contain credentials'],
    ['https://a@x.test/', 'must not contain credentials'],
    ['https://:b@x.test/', 'must not contain credentials'],
    ['https:///x.test/a', 'must be an absolute https URL'],
    ['x https://x.test/a', 'must be an absolute https URL'],
    ['https://x.test/\u0000a', 'must be an absolute https URL'],
    ['https://x.test/\u007f', 'must be an absolute https URL'],
    [`https://x.test/${'a'.repeat(2034)}`, 'must have at most 2048 characters'],
  ])('sourceUrl %j: %s', (sourceUrl, rule) => {
    expect(messageOf(anItem(), anItem({ sourceUrl }))).toBe(`items[1].sourceUrl ${rule}.`);
  });
  it('altText: at most 1000 characters', () => {
    expect(messageOf(anItem({ altText: 'a'.repeat(1000) }))).toBeNull();
    expect(messageOf(anItem({ altText: 'a'.repeat(1001) }))).toBe('items[0].altText must have at most 1000 characters.');
  });
});

const FAILED: ItemOutcome = { status: 'Failed', errorCode: 'timeout', error: 'too slow' };
const NO_RETRY = { retryAt: null, retryReason: null };
const READY: ItemOutcome = { status: 'Ready' };
const anImport = (...outcomes: readonly (ItemOutcome | null)[]): MediaImport => {
  const items = outcomes.map((_, index) => ({
    index,
    status: 'Pending' as const,
    mediaId: `m${index}`,
    errorCode: null,
    error: null,
    retryAt: null,
    retryReason: null,
  }));
  const queued: MediaImport = { id: 'i', storeId: 's', installationId: 'a', requestId: null, status: 'Queued', items };
  return outcomes.reduce((all, outcome, index) => (outcome ? withOutcome(all, index, outcome) : all), queued);
};

describe('an import', () => {
  it.each([
    [[null, null], 'Queued'],
    [[READY, null], 'Running'],
    [[FAILED, null], 'Running'],
    [[READY, READY], 'Completed'],
    [[READY, FAILED], 'CompletedWithErrors'],
    [[FAILED, READY], 'CompletedWithErrors'],
    [[FAILED, FAILED], 'Failed'],
  ] as const)('of %j is %s', (outcomes, status) => {
    const found = anImport(...outcomes);
    expect(found.status).toBe(status);
    expect(hasEnded(found)).toBe(!['Queued', 'Running'].includes(status));
  });
  it('shows the id of a media that exists, and why an item failed', () => {
    expect(importView(anImport(READY, FAILED, null))).toEqual({
      importId: 'i',
      status: 'Running',
      items: [
        { index: 0, status: 'Ready', mediaId: 'm0', errorCode: null, error: null, ...NO_RETRY },
        { index: 1, status: 'Failed', mediaId: null, errorCode: 'timeout', error: 'too slow', ...NO_RETRY },
        { index: 2, status: 'Pending', mediaId: null, errorCode: null, error: null, ...NO_RETRY },
      ],
    });
  });
  it.each([
    [anImport(READY, null), null],
    [anImport(READY, READY), 'media.import_completed'],
    [anImport(READY, FAILED), 'media.import_completed'],
    [anImport(FAILED), 'media.import_failed'],
    [{ ...anImport(READY), ...{ status: UNINSTALLED.status } }, 'media.import_failed'],
  ])('its end has an event, and nothing before', (found, type) => {
    const { importId: id, items, ...view } = importView(found);
    const states = items.map(({ retryAt: _, retryReason: __, ...item }) => item);
    const data = { id, ...view, items: states };
    const event = { storeId: 's', type, resourceId: 'i', origin: 'a', data };
    expect(importEvents(found)).toEqual(type === null ? [] : [event]);
  });
});

const standard = { tenantId: 's', createdAt: 't', updatedAt: null, deletedAt: null, isDeleted: false };
const aProduct = (over: object = {}): Product =>
  ({
    ...standard,
    id: PRODUCT,
    media: [],
    variants: [
      { ...standard, id: 'v' },
      { ...standard, id: 'w', isDeleted: true },
    ],
    ...over,
  }) as unknown as Product;
const file = { storeId: 's', key: 's/k.png', contentType: 'image/png', sizeBytes: 7, width: 1, height: 1 } as const;
const content = { sourceUrl: 'u', productId: PRODUCT, productVariantId: null, altText: null, position: null, aiGenerated: false };

describe('the media of an item', () => {
  it('joins a live product, and a live variant of it', () => {
    const found = aProduct();
    expect(mediaTarget(found, content)).toEqual({ ok: true, value: found });
    expect(mediaTarget(found, { ...content, productVariantId: 'v' })).toMatchObject({ ok: true });
    for (const productVariantId of ['w', 'x']) {
      expect(mediaTarget(found, { ...content, productVariantId })).toMatchObject({
        ok: false,
        code: 'variant_not_found',
      });
    }
    for (const none of [undefined, aProduct({ isDeleted: true })]) {
      expect(mediaTarget(none, content)).toMatchObject({ ok: false, code: 'product_not_found' });
    }
  });
  it.each([
    [[], null, 0],
    [[{ position: 4 }, { position: 2 }], null, 5],
    [[{ position: 4 }, { position: 9, isDeleted: true }], null, 5],
    [[{ position: -7 }], null, 0],
    [[{ position: 2_147_483_647 }], null, 2_147_483_647],
    [[{ position: 4 }], 1, 1],
  ])('after %j, requested at %j, has position %j', (media, position, expected) => {
    const product = aProduct({ media: media.map((one) => ({ ...standard, ...one })) });
    expect(newMedia(product, { ...content, position, mediaId: 'm' }, file, { url: 'u', now: 'n' }).position).toBe(expected);
  });
  it('is the file with the fields of the item', () => {
    const item = { ...content, productVariantId: 'v', altText: 'A', position: 3, aiGenerated: true, mediaId: 'm' };
    expect(newMedia(aProduct(), item, file, { url: 'https://m/k', now: 'n' })).toEqual({
      ...{ id: 'm', tenantId: 's', createdAt: 'n', updatedAt: null, deletedAt: null, isDeleted: false },
      ...{ aiGenerated: true, altText: 'A', assetId: null, contentType: 'image/png', position: 3 },
      ...{ productId: PRODUCT, productVariantId: 'v', sizeBytes: 7, storageKey: 's/k.png', url: 'https://m/k' },
    });
  });
  it('is an event of the product, caused by the app', () => {
    const [old, media] = [{ id: 'old' }, { id: 'new' }] as Media[];
    expect(mediaAdded(aProduct({ media: [old] }), media!, 'app')).toEqual({
      storeId: 's',
      type: 'product.updated',
      resourceId: PRODUCT,
      origin: 'app',
      data: {
        id: PRODUCT,
        changedFields: ['media'],
        previous: { media: [old] },
        current: { media: [old, media] },
        origin: 'app',
      },
    });
  });
});
