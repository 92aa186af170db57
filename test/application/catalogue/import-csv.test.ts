import { describe, expect, it } from 'vitest';

import { importProducts } from '../../../src/application/catalogue/import-products.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { readShopifyCsv } from '../../../src/adapters/http/import/shopify-csv.ts';
import type { VariantDocument } from '../../../src/domain/catalogue/product.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState } from '../../memory/state.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';

const WAREHOUSE = '00000000-0000-7000-8000-0000000000aa';
const QUANTITY = 'Variant SKU,Variant Inventory Qty';

/** A store in EUR that has a saw with this variant, and what a CSV file makes of it. */
const open = async (variant: Partial<VariantDocument> | null, more: object = {}) => {
  const [clock, ids, state] = [manualClock(), sequentialIds(), createMemoryState()];
  const ports = { ...judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state)), clock, ids };
  const [storeId, save] = [ids.next(), saveProducts(ports)];
  const variants = variant ? [{ sku: 'A', currency: 'EUR', ...variant }] : [];
  await save(null, storeId, [{ name: 'Saw', slug: 'saw', variants, ...more }]);
  const stored = async () => {
    const [id = ''] = (await ports.transaction.run(null, (tx) => tx.products.idsBySlug(storeId, ['saw']))).values();
    const [product] = await ports.transaction.run(null, (tx) => tx.products.lock(storeId, [id]));
    return product?.variants[0] ?? expect.fail('The saw has no variant.');
  };
  const reported = async (header: string, row: string) => {
    const file = new TextEncoder().encode(`Handle,Title,${header}\nsaw,Saw,${row}\n`);
    const items = readShopifyCsv(
      (async function* () {
        yield await Promise.resolve(file);
      })(),
      'EUR',
    );
    return importProducts(save)(null, storeId, items);
  };
  const imported = async (header: string, row: string) => {
    expect(await reported(header, row)).toMatchObject({ read: 1, failed: 0 });
    return stored();
  };
  const events = () => [...eventsOf(state).values()].map(({ type }) => type);
  return { storeId, stored, reported, imported, events };
};

describe('a quantity of a CSV file', () => {
  const elsewhere = { warehouseId: WAREHOUSE, available: 20, onHand: 21, reserved: 1 };

  it('is the available stock of the only warehouse, and what is reserved stays', async () => {
    const { stored, imported } = await open({ inventory: [elsewhere] });
    const [before] = (await stored()).inventory;
    expect((await imported(QUANTITY, 'A,9')).inventory).toEqual([
      {
        ...before,
        ...{ warehouseId: WAREHOUSE, available: 9, onHand: 10, reserved: 1 },
        ...{
          updatedAt: expect.any(String) as string,
          concurrencyStamp: expect.not.stringMatching(before!.concurrencyStamp) as string,
        },
      },
    ]);
  });

  it('that is the stored one changes nothing', async () => {
    const { stored, imported, events } = await open({ inventory: [elsewhere] });
    const before = await stored();
    expect(await imported(QUANTITY, 'A,20')).toEqual(before);
    expect(events()).toEqual(['product.created']);
  });

  it("is in the store's warehouse where none has stock of the variant", async () => {
    const { storeId, imported } = await open({});
    expect((await imported(QUANTITY, 'A,9')).inventory).toMatchObject([
      { warehouseId: storeId, available: 9, onHand: 9, reserved: 0 },
    ]);
  });

  it('is refused where several have stock, and nothing changes', async () => {
    const { storeId, stored, reported } = await open({ inventory: [elsewhere, { available: 5 }] });
    const before = await stored();
    const { failed, errors } = await reported(QUANTITY, 'A,9');
    expect([failed, errors[0]?.message]).toEqual([
      1,
      `variants[0]: The variant has stock in 2 warehouses: ${WAREHOUSE}, ${storeId}. ` +
        'A quantity of a CSV file cannot name one: leave it blank, and set the stock of each warehouse by a document or a bulk update.',
    ]);
    expect(await stored()).toEqual(before);
  });

  it('is the only stock of a new variant', async () => {
    const added = await open(null);
    expect((await added.imported(QUANTITY, 'A,3')).inventory).toMatchObject([{ available: 3, onHand: 3, reserved: 0 }]);
  });

  it('that is blank changes nothing', async () => {
    const { stored, imported } = await open({ inventory: [elsewhere, { available: 5, onHand: 7, reserved: 2 }] });
    const before = await stored();
    expect(await imported(QUANTITY, 'A,')).toEqual(before);
  });
});

describe('the currency of a stored price', () => {
  const PRICES = 'Variant SKU,Variant Price,Variant Compare At Price';

  it.each([
    ['without columns of prices', QUANTITY, 'A,3'],
    ['with blank prices', PRICES, 'A,,'],
  ])('stays on an import %s', async (_, header, row) => {
    const { imported } = await open({ currency: 'USD', price: 10 });
    expect(await imported(header, row)).toMatchObject({ currency: 'USD', price: 10 });
  });

  it.each([
    ['a price', 'A,12,', { price: 12 }],
    ['a compare-at price', 'A,,14', { price: 10, compareAtPrice: 14 }],
  ])('is that of the store on an import with %s', async (_, row, prices) => {
    const { imported } = await open({ currency: 'USD', price: 10 });
    expect(await imported(PRICES, row)).toMatchObject({ currency: 'EUR', ...prices });
  });

  it('is that of the store for a new variant', async () => {
    const { imported } = await open(null);
    expect(await imported(QUANTITY, 'A,3')).toMatchObject({ currency: 'EUR', price: 0 });
  });
});
