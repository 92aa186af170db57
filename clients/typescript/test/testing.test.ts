import { describe, expect, it } from 'vitest';

import { Tenon } from '../src/index.ts';
import { eventOf, fakeStore, signedRequest } from '../src/testing.ts';
import { receiver, VerificationError, verify } from '../src/webhooks.ts';

const SECRET = 'whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmM=';

describe('a fake store', () => {
  it('answers by method and path, and keeps what was sent', async () => {
    const store = fakeStore({
      'GET /apps/catalog/products/{id}': ({ path }) => ({ id: path.split('/').at(-1) }),
      'POST /apps/catalog/products/bulk': { results: [] },
    });
    const tenon = new Tenon(store.options);
    expect((await tenon.products.get('p')).product.id).toBe('p');
    await tenon.products.bulkUpdate([{ id: 'p' }], { key: 'k' }).next();
    expect(store.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/apps/catalog/products/p', null],
      ['POST', '/apps/catalog/products/bulk', { products: [{ id: 'p' }] }],
    ]);
  });

  it('answers the same response to each request, and 404 to what it does not know', async () => {
    const tenon = new Tenon(fakeStore({ 'GET /apps/events': Response.json({ items: [], next: 'n', more: false }) }).options);
    expect([await tenon.events.page(), await tenon.events.page()]).toMatchObject([{ next: 'n' }, { next: 'n' }]);
    await expect(tenon.products.get('p')).rejects.toMatchObject({ code: 'not_found', attempts: 1 });
  });
});

describe('a fixture', () => {
  it('is an event with the data of the documents, and yours in its place', () => {
    const event = eventOf('product.updated', { changedFields: ['metaTitle'] });
    expect(event).toMatchObject({ type: 'product.updated', data: { changedFields: ['metaTitle'], origin: null } });
    expect(eventOf('product.updated').id).not.toBe(event.id);
  });

  it('is delivered as Tenon delivers it', async () => {
    const handled: string[] = [];
    const hooks = receiver({ secrets: [SECRET] }).on('ping', ({ id }) => handled.push(id));
    const event = eventOf('ping');
    expect((await hooks.fetch(await signedRequest(event, SECRET))).status).toBe(204);
    expect(handled).toEqual([event.id]);
  });
});

describe('verify', () => {
  const options = { secrets: [undefined, SECRET] };

  it('returns the event of a delivery', async () => {
    const event = eventOf('product.deleted');
    const request = await signedRequest(event, SECRET);
    const text = await request.text();
    expect(await verify(text, request.headers, options)).toEqual(event);
    expect(await verify(new TextEncoder().encode(text), (name) => request.headers.get(name), options)).toEqual(event);
  });

  it('rejects one that is not signed by the secret, or is too old', async () => {
    const request = await signedRequest(eventOf('ping'), SECRET);
    const text = await request.text();
    await expect(verify(`${text} `, request.headers, options)).rejects.toThrow(VerificationError);
    await expect(verify(text, request.headers, { ...options, tolerance: -1 })).rejects.toThrow('Check the clocks');
    await expect(verify(text, request.headers, { secrets: [] })).rejects.toThrow(TypeError);
  });
});
