import { describe, expect, it } from 'vitest';

import { callOf, draftOf, faultOf } from '../../console/pages/try/compose.ts';
import { mayCall, operationsOf, type OpenApi, type Operation } from '../../console/pages/try/document.ts';
import { appRoutes } from '../../src/adapters/http/routes.ts';
import document from '../../docs/openapi.json' with { type: 'json' };

const operations = operationsOf(document as unknown as OpenApi);
const operation = (id: string): Operation => {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(`The document has no operation ${id}.`);
  return found;
};
const product = { id: 'de300000-0000-4000-8000-000000000001', name: 'Block plane', status: 'Draft', variants: [] };

describe('the calls of the Try it page', () => {
  it('are all routes of apps, with their scopes and keys', () => {
    const asRoute = ({ method, path, scopes, needsKey }: Operation) =>
      `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${scopes.join()} ${String(needsKey)}`;
    const expected = appRoutes.map(
      ({ method, path, access, idempotent }) =>
        `${method.toUpperCase()} ${path} ${access.kind === 'app' ? access.scopes.join() : ''} ${String(idempotent)}`,
    );
    expect(operations.map(asRoute).sort()).toEqual(expected.sort());
  });

  it('begin with an example that changes nothing in a product that exists', () => {
    const bulk = operation('bulkUpdateProducts');
    expect(JSON.parse(draftOf(bulk, product).body)).toEqual({
      products: [{ id: product.id, name: 'Block plane', status: 'Draft' }],
    });
    expect(draftOf(operation('getProduct'), product).values).toEqual({ id: product.id });
  });

  it('begin with the example of the document where the catalogue is empty', () => {
    expect(draftOf(operation('bulkUpdateProducts'), null).body).toContain('Dovetail saw');
  });

  it('escape what is in the path, repeat lists and leave out what is empty', () => {
    const entry = operation('putMetaobjectEntry');
    const values = { type: 'a/b', handle: 'c d' };
    expect(callOf(entry, { values, body: '{}' }, 'k')).toMatchObject({
      path: '/custom-data/metaobjects/a%2Fb/entries/c%20d',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    const feed = callOf(operation('listEvents'), { values: { types: 'order.paid, product.*', after: ' ' }, body: '' }, 'k');
    expect(feed).toEqual({ method: 'GET', path: '/apps/events?types=order.paid&types=product.*', headers: {}, body: null });
  });

  it('carry the key where the route needs one', () => {
    const bulk = operation('bulkUpdateProducts');
    expect(callOf(bulk, draftOf(bulk, product), 'try-1').headers).toMatchObject({ 'Idempotency-Key': 'try-1' });
  });

  it('say what is missing', () => {
    expect(faultOf(operation('getProduct'), { values: { id: ' ' }, body: '' })).toBe('Fill in id.');
    expect(faultOf(operation('bulkUpdateProducts'), { values: {}, body: ' ' })).toBe('The body is empty.');
  });

  it('know that a write_ scope includes its read_ scope', () => {
    expect(mayCall(['write_products'], ['read_products'])).toBe(true);
    expect(mayCall(['read_products'], ['write_products', 'write_inventory'])).toBe(false);
    expect(mayCall(['write_inventory'], ['write_products', 'write_inventory'])).toBe(true);
    expect(mayCall([], [])).toBe(true);
  });
});
