import { beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { updateProducts } from '../../../src/application/catalogue/update-products.ts';
import type { RawChange } from '../../../src/domain/catalogue/bulk-change.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { refuse } from '../../../src/domain/result.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';

const CREATED = Date.parse('2026-01-01T00:00:00.000Z');
const LATER = '2026-01-01T00:01:00.000Z';
const MAX_PRODUCTS = 3;
const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';
const caller: Caller = { storeId: 'store', installationId: 'app', scopes: ['write_products'] };

let state: MemoryState;
let clock: ReturnType<typeof manualClock>;
let ports: ReturnType<typeof open>;
const open = () => {
  const ids = sequentialIds();
  return { clock, ids, ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state) };
};
const stored = (id: string, storeId = 'store') => table<Product>(state, 'products').get(`${storeId}/${id}`);
const events = () => [...table<StoredEvent>(state, 'events').values()];
const created = async (document: Partial<ProductDocument>, storeId = 'store'): Promise<Product> => {
  const [saved] = await saveProducts(ports)(null, storeId, [{ name: 'Saw', ...document }]);
  if (saved?.ok !== true) throw new Error(saved?.message);
  return saved.value.product;
};
const update = (...changes: RawChange[]) =>
  ports.transaction.run(null, (tx) => updateProducts(ports, MAX_PRODUCTS)(tx, caller, changes));
const results = async (...changes: RawChange[]) => {
  const updated = await update(...changes);
  if (!updated.ok) throw new Error(updated.message);
  return updated.value.results;
};

beforeEach(() => {
  state = createMemoryState();
  clock = manualClock(CREATED);
  ports = open();
});

describe('how many products a request may name', () => {
  it.each([[0], [4]])('%i products of at most 3 are refused', async (count) => {
    const { id } = await created({ name: 'Saw' });
    const changes = Array.from({ length: count }, () => ({ id, name: 'Plane' }));
    expect(await update(...changes)).toEqual(refuse('invalid', 'products must have 1 to 3 elements.'));
    expect(stored(id)?.name).toBe('Saw');
  });
  it('the most that is allowed is accepted', async () => {
    const answer = await update({ id: UNKNOWN }, { id: UNKNOWN }, { id: UNKNOWN });
    expect(answer).toMatchObject({ ok: true, value: { requested: 3 } });
  });
});

describe('a successful update', () => {
  it('writes the product with the time of the update and appends one event, whose origin is the app', async () => {
    const { id } = await created({ name: 'Saw', slug: 'saw' });
    table(state, 'events').clear();
    clock.advance(60_000);
    expect(await update({ id, name: 'Plane', slug: 'plane' })).toEqual({
      ok: true,
      value: {
        requested: 1,
        succeeded: 1,
        failed: 0,
        slugsChanged: 1,
        results: [{ id, status: 'Updated', slug: 'plane', previousSlug: 'saw', error: null, errorCode: null }],
      },
    });
    expect(stored(id)).toMatchObject({ name: 'Plane', slug: 'plane', updatedAt: LATER });
    expect(events()).toMatchObject([
      { type: 'product.updated', storeId: 'store', resourceId: id, origin: 'app', data: { changedFields: ['name', 'slug'] } },
    ]);
  });
  it('dates the first activation with the time of the update and derives the slug from the name', async () => {
    const { id } = await created({ name: 'Dovetail saw', variants: [{ sku: 'S', currency: 'EUR' }] });
    clock.advance(60_000);
    await update({ id, status: 'Active' });
    expect(stored(id)).toMatchObject({ status: 'Active', slug: 'dovetail-saw', publishedAt: LATER });
  });
  it('a request that changes nothing writes nothing and appends no event', async () => {
    const { id, updatedAt } = await created({ name: 'Saw' });
    table(state, 'events').clear();
    clock.advance(60_000);
    expect(await results({ id, name: 'Saw' })).toMatchObject([{ status: 'Unchanged' }]);
    expect(stored(id)?.updatedAt).toBe(updatedAt);
    expect(events()).toEqual([]);
  });
  it('sets a category of the store, and refuses one that does not exist', async () => {
    const { id, categoryId } = await created({ category: { name: 'Saws' } });
    const other = await created({ name: 'Plane' });
    expect(await results({ id: other.id, categoryId })).toMatchObject([{ status: 'Updated' }]);
    expect(stored(other.id)?.categoryId).toBe(categoryId);
    expect(await results({ id, categoryId: UNKNOWN })).toMatchObject([{ errorCode: 'category_not_found' }]);
  });
});

describe('products that cannot be changed', () => {
  it('a product that does not exist fails alone, and the others are updated', async () => {
    const { id } = await created({ name: 'Saw' });
    expect(await results({ id: UNKNOWN, name: 'x' }, { id, name: 'Plane' })).toMatchObject([
      { errorCode: 'product_not_found' },
      { status: 'Updated' },
    ]);
    expect(stored(id)?.name).toBe('Plane');
  });
  it('the product of another store does not exist for the caller', async () => {
    const { id } = await created({ name: 'Saw' }, 'elsewhere');
    expect(await results({ id, name: 'Plane' })).toMatchObject([{ errorCode: 'product_not_found' }]);
    expect(stored(id, 'elsewhere')?.name).toBe('Saw');
  });
  it('a slug that another product holds is taken, and is free in another store', async () => {
    const { id } = await created({ name: 'Saw', slug: 'saw' });
    const holder = await created({ name: 'Plane', slug: 'plane' });
    await created({ name: 'Chisel', slug: 'chisel' }, 'elsewhere');
    expect(await results({ id, slug: 'plane' })).toMatchObject([{ errorCode: 'slug_taken', slug: 'saw' }]);
    expect(stored(holder.id)?.slug).toBe('plane');
    expect(await results({ id, slug: 'chisel' })).toMatchObject([{ status: 'Updated', slug: 'chisel' }]);
  });
  it('a derived slug avoids those of other products', async () => {
    await created({ name: 'Plane', slug: 'dovetail-saw' });
    const { id } = await created({ name: 'Dovetail saw', variants: [{ sku: 'S', currency: 'EUR' }] });
    expect(await results({ id, status: 'Active' })).toMatchObject([{ status: 'Updated', slug: 'dovetail-saw-2' }]);
  });
});

it('locks each product of a request once, and reads the time after every lock', async () => {
  const { id } = await created({ name: 'Saw' });
  const asked: (readonly string[])[] = [];
  await ports.transaction.run(null, (tx) => {
    const bulkProducts: typeof tx.bulkProducts = {
      ...tx.bulkProducts,
      lock: (storeId, ids) => {
        asked.push(ids);
        return tx.bulkProducts.lock(storeId, ids);
      },
      categories: (storeId, ids) => {
        clock.advance(60_000);
        return tx.bulkProducts.categories(storeId, ids);
      },
    };
    return updateProducts(ports, MAX_PRODUCTS)({ ...tx, bulkProducts }, caller, [
      { id, name: 'Plane' },
      { id, name: 'Chisel' },
    ]);
  });
  expect(asked).toEqual([[id]]);
  expect(stored(id)).toMatchObject({ name: 'Plane', updatedAt: LATER });
});
