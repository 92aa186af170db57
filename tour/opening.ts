import { randomBytes } from 'node:crypto';

import { json, must } from './http.ts';
import { appOf, merchantOf } from './sides.ts';
import type { App, Credentials, Merchant, Tenon } from './sides.ts';
import { step } from './step.ts';

/** What the first steps make, and the later ones play with. */
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

/** A store with products and an app, made by the merchant; the app's token and its list of the products. */
export const openShop = async (tenon: Tenon): Promise<Shop> => {
  const merchant = merchantOf(tenon);
  const domain = `tour-${randomBytes(4).toString('hex')}.localhost`;
  const { id: storeId } = await step(
    'store',
    async () => json(await merchant.post(201, '/admin/stores', { domain, name: 'Tour', currency: 'EUR' })) as { id: string },
    () => `the merchant sent POST /admin/stores and got 201: ${domain}`,
  );
  const installed = await step(
    'app',
    async () => json(await merchant.post(201, `/admin/stores/${storeId}/apps`, { name: 'Tour', scopes: SCOPES })) as Installed,
    () => `the merchant installed one with ${SCOPES.join(', ')}; 201 with a client id, a client secret and a signing secret`,
  );
  await step(
    'products',
    async () => {
      const variant = (name: string) => ({ sku: name.toUpperCase().replace(' ', '-'), currency: 'EUR', price: 39.5 });
      const documents = NAMES.map((name) => ({ name, status: 'Active', variants: [variant(name)] }));
      const imported = await merchant.importProducts(storeId, documents);
      must(imported.created === NAMES.length, `the import made ${imported.created} products of ${NAMES.length}`);
      return imported;
    },
    ({ created }) => `the merchant imported ${created}`,
  );
  const app = appOf(tenon, domain, installed);
  await step(
    'token',
    async () => json(await app.token(200)) as { expiresIn: number; scope: string },
    ({ expiresIn, scope }) => `POST /apps/token got 200: a bearer token for ${expiresIn} s with ${scope}`,
  );
  const { items: products } = await step(
    'list',
    async () => {
      const page = json(await app.get(200, '/apps/catalog/products')) as ProductPage;
      must(page.total === NAMES.length && page.items.length === NAMES.length, `the list holds ${page.total} products`);
      return page;
    },
    ({ items, total }) => `GET /apps/catalog/products got 200: ${items.length} of ${total}`,
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
