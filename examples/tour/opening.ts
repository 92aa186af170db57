import { randomBytes } from 'node:crypto';

import { json, must } from './http.ts';
import { appOf, merchantOf } from './sides.ts';
import type { App, Credentials, Merchant, Tenon } from './sides.ts';
import { step } from './step.ts';

/** What the first steps create and the later steps use. */
export interface Shop {
  readonly merchant: Merchant;
  readonly app: App;
  readonly storeId: string;
  readonly installationId: string;
  readonly signingSecret: string;
  readonly products: readonly { readonly id: string; readonly name: string }[];
}

interface Installed extends Credentials {
  readonly installation: { readonly id: string };
  readonly signingSecret: string;
}

interface ProductPage {
  readonly items: Shop['products'];
  readonly total: number;
}

const SCOPES = ['write_products', 'read_orders', 'write_webhooks'];
const NAMES = ['Block plane', 'Dovetail saw', 'Marking knife'];

/**
 * The merchant creates a store with products and installs an app; the app gets a token and lists
 * the products.
 */
export const openShop = async (tenon: Tenon): Promise<Shop> => {
  const merchant = merchantOf(tenon);
  const domain = `tour-${randomBytes(4).toString('hex')}.localhost`;
  const { id: storeId } = await step(
    'store',
    async () => json(await merchant.post(201, '/admin/stores', { domain, name: 'Tour', currency: 'EUR' })) as { id: string },
    () => `the merchant created ${domain}`,
  );
  const installed = await step(
    'app',
    async () => json(await merchant.post(201, `/admin/stores/${storeId}/apps`, { name: 'Tour', scopes: SCOPES })) as Installed,
    () => `the merchant installed an app with ${SCOPES.join(', ')}`,
  );
  await step(
    'products',
    async () => {
      const variant = (name: string) => ({ sku: name.toUpperCase().replace(' ', '-'), currency: 'EUR', price: 39.5 });
      const documents = NAMES.map((name) => ({ name, status: 'Active', variants: [variant(name)] }));
      const imported = await merchant.importProducts(storeId, documents);
      must(imported.created === NAMES.length, `the import created ${imported.created} of ${NAMES.length} products`);
      return imported;
    },
    ({ created }) => `the merchant imported ${created} products`,
  );
  const app = appOf(tenon, domain, installed);
  await step(
    'token',
    async () => json(await app.token(200)) as { expiresIn: number; scope: string },
    ({ expiresIn, scope }) => `the app got a token for ${expiresIn} s with ${scope}`,
  );
  const { items: products } = await step(
    'list',
    async () => {
      const page = json(await app.get(200, '/apps/catalog/products')) as ProductPage;
      must(page.total === NAMES.length && page.items.length === NAMES.length, `the list has ${page.total} products`);
      return page;
    },
    ({ items, total }) => `the app read ${items.length} of ${total} products`,
  );
  return {
    merchant,
    app,
    storeId,
    installationId: installed.installation.id,
    signingSecret: installed.signingSecret,
    products,
  };
};
