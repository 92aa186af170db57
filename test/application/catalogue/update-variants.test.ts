import { beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { updateVariants } from '../../../src/application/catalogue/update-variants.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';
import type { RawVariantChange } from '../../../src/domain/catalogue/variant-change.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { refuse } from '../../../src/domain/result.ts';

const LATER = '2026-01-01T00:01:00.000Z';
const MAX_VARIANTS = 2;
const NEW_ID: unknown = expect.stringMatching(/^00000000-0000-7000-8000-[0-9a-f]{12}$/);
const caller: Caller = { storeId: 'store', installationId: 'app', scopes: ['write_products', 'write_inventory'] };

let state: MemoryState;
let clock: ReturnType<typeof manualClock>;
let ports: ReturnType<typeof open>;
const open = () => {
  const ids = sequentialIds();
  return { clock, ids, ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state) };
};
const update = (...raws: RawVariantChange[]) =>
  ports.transaction.run(null, (tx) => updateVariants(ports, MAX_VARIANTS)(tx, caller, raws));
const stored = (): Product | undefined => [...table<Product>(state, 'products').values()][0];
const events = () => [...table<StoredEvent>(state, 'events').values()];

beforeEach(async () => {
  state = createMemoryState();
  clock = manualClock(Date.parse('2026-01-01T00:00:00.000Z'));
  ports = open();
  const variants = [
    { sku: 'SAW', currency: 'EUR', price: 10, inventory: [{ available: 5 }] },
    { sku: 'RASP', currency: 'EUR' },
  ];
  await saveProducts(ports)(null, 'store', [{ name: 'Saw', variants }]);
  table(state, 'events').clear();
  clock.advance(60_000);
});

describe('how much a request may change', () => {
  it.each([[0], [3]])('%i variants of at most 2 are refused', async (count) => {
    const raws = Array.from({ length: count }, () => ({ sku: 'SAW', price: 1 }));
    expect(await update(...raws)).toEqual(refuse('invalid', 'variants must have 1 to 2 elements.'));
    expect(stored()?.variants[0]?.price).toBe(10);
  });
  it('more than 1,000 stocks are refused', async () => {
    expect(await update({ sku: 'SAW', stock: Array.from({ length: 1_001 }, () => ({})) })).toMatchObject({ code: 'invalid' });
  });
});

it('writes the variants with the time of the update, and appends one event for the prices and one for the stock', async () => {
  const id = stored()?.variants[1]?.id;
  const answer = await update({ sku: 'SAW', price: 11, stock: [{ adjust: -2 }] }, { id, stock: [{ set: 3, ifAvailable: null }] });
  expect(answer).toMatchObject({ ok: true, value: { requested: 2, succeeded: 2, failed: 0 } });
  expect(stored()).toMatchObject({
    updatedAt: LATER,
    variants: [
      { price: 11, updatedAt: LATER, inventory: [{ available: 3, onHand: 3, warehouseId: 'store' }] },
      { price: 0, inventory: [{ id: NEW_ID, available: 3, warehouseId: 'store', productVariantId: id }] },
    ],
  });
  expect(events()).toMatchObject([
    { type: 'product.updated', storeId: 'store', resourceId: stored()?.id, origin: 'app' },
    { type: 'inventory.updated', storeId: 'store', resourceId: stored()?.id, origin: 'app' },
  ]);
});

it('writes nothing of a variant that fails', async () => {
  const before = stored();
  expect(await update({ sku: 'SAW', price: 1, stock: [{ set: 1, ifAvailable: 4 }] })).toMatchObject({ value: { failed: 1 } });
  expect(stored()).toEqual(before);
  expect(events()).toEqual([]);
});
