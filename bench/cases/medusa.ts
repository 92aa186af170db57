import { randomInt } from 'node:crypto';

import { beside } from '../support/beside.ts';
import { fillCatalogue, productIds, variantIds } from '../support/catalogue.ts';
import type { Plan, Prepared } from '../support/load.ts';
import { startMedusa, type Medusa } from '../support/medusa.ts';
import { named, type CaseOptions, type CaseResult, type Figure } from '../support/report.ts';
import { bulkHeaders, openTenant } from '../support/stage.ts';

const SIZE = 100;
const CONNECTIONS = 4;
const PRODUCTS = 2_000;
/** Requests that are sent in turn, each with other elements. */
const PREPARED = 50;
const STOCKS = '/admin/inventory-items/location-levels/batch';

interface Product {
  readonly id: string;
  readonly variants: readonly [{ readonly id: string }];
}

/** Products with one variant, one price and one stock each, as those of Tenon. */
const fillMedusa = async (medusa: Medusa) => {
  const made = await medusa.post<{ stock_location: { id: string } }>('/admin/stock-locations', { name: 'Bench' });
  const locationId = made.stock_location.id;
  const products: Product[] = [];
  for (let from = 0; from < PRODUCTS; from += SIZE) {
    const create = Array.from({ length: SIZE }, (_, at) => ({
      title: `Dovetail saw, number ${from + at}`,
      options: [{ title: 'Size', values: ['One'] }],
      variants: [
        {
          title: 'One',
          sku: `SAW-${from + at}`,
          options: { Size: 'One' },
          manage_inventory: true,
          prices: [{ currency_code: 'eur', amount: 10.95 }],
        },
      ],
    }));
    const { created } = await medusa.post<{ created: Product[] }>('/admin/products/batch', { create });
    products.push(...created);
  }
  const stocked = await medusa.get<{ inventory_items: { id: string }[] }>(`/admin/inventory-items?limit=${PRODUCTS}&fields=id`);
  const itemIds = stocked.inventory_items.map(({ id }) => id);
  for (let from = 0; from < PRODUCTS; from += SIZE) {
    const items = itemIds.slice(from, from + SIZE);
    await medusa.post(STOCKS, {
      create: items.map((id) => ({ inventory_item_id: id, location_id: locationId, stocked_quantity: 7 })),
    });
  }
  return { locationId, products, itemIds };
};

/** Each once: all steps together are shorter than the list. */
const someOf = <T>(all: readonly T[]): T[] => {
  const from = randomInt(all.length);
  const step = 1 + 2 * randomInt(all.length / (2 * SIZE));
  return Array.from({ length: SIZE }, (_, at) => all[(from + at * step) % all.length]!);
};

const prepared = ({ headers }: Medusa, path: string, bodyOf: () => object): Plan => ({
  inTurn: Array.from({ length: PREPARED }, (): Prepared => ({ method: 'POST', path, headers, body: JSON.stringify(bodyOf()) })),
});

/** Stock and prices of 100 variants a request, beside the same in Medusa, on the same PostgreSQL. */
export const medusa = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, PRODUCTS);
  const ids = await variantIds(environment.pool, tenant.storeId, await productIds(environment.pool, tenant.storeId, PRODUCTS));
  const other = await startMedusa(await environment.database('medusa'));
  const { locationId, products, itemIds } = await fillMedusa(other);
  await environment.pool.query('VACUUM ANALYZE');
  const plans = {
    stock: prepared(other, STOCKS, () => ({
      update: someOf(itemIds).map((id) => ({
        inventory_item_id: id,
        location_id: locationId,
        stocked_quantity: randomInt(1_000),
      })),
    })),
    price: prepared(other, '/admin/products/batch?fields=id', () => ({
      update: someOf(products).map(({ id, variants: [variant] }) => ({
        id,
        variants: [{ id: variant.id, prices: [{ currency_code: 'eur', amount: randomInt(1_000, 100_000) / 100 }] }],
      })),
    })),
  };
  const figures: Figure[] = [];
  for (const change of ['stock', 'price'] as const) {
    const own: Plan = { variants: { headers: bulkHeaders(tenant), ids, size: SIZE, change } };
    const sides = [
      { name: 'Tenon', url: tenon.url, plan: own },
      { name: 'Medusa', url: other.url, plan: plans[change] },
    ] as const;
    const found = await beside(stage.load, sides, { name: 'ratio to Medusa', connections: CONNECTIONS }, { short, pairs });
    figures.push(...named(change, found));
  }
  await other.stop();
  await stage.close();
  return {
    about: `The stock, and then the price, of ${SIZE} out of ${PRODUCTS} variants a request, each of another product, over ${CONNECTIONS} connections. Medusa's batch of inventory levels and its batch of products do the same, in its default settings, on the same PostgreSQL (\`npm run bench:medusa\` installs it). Tenon also executes each request once under its key, records events for the feed and the webhooks, and keeps the answer.`,
    figures,
  };
};
