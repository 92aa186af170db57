import { randomBytes } from 'node:crypto';
import { Tenon, type ProductListItem } from 'tenon-client';

import { json, must } from '../host/http.ts';
import { merchantOf, storeAddress, type Host, type Installed, type Merchant } from '../host/merchant.ts';
import { step } from './step.ts';

/** Created by the first steps, and used by the later ones. */
export interface Shop {
  readonly merchant: Merchant;
  readonly app: Tenon;
  readonly storeId: string;
  readonly installationId: string;
  readonly signingSecret: string;
  readonly products: readonly ProductListItem[];
}

const SCOPES = ['write_products', 'read_orders', 'write_webhooks'];
const NAMES = ['Block plane', 'Dovetail saw', 'Marking knife'];

/**
 * The merchant creates a store with products and installs an app; the app gets a token and lists
 * the products.
 */
export const openShop = async (host: Host): Promise<Shop> => {
  const merchant = merchantOf(host);
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
  const { installation, clientId, clientSecret, signingSecret } = installed;
  const app = new Tenon({ store: storeAddress(host, domain), clientId, clientSecret });
  const products = await step(
    'list',
    async () => {
      const listed: ProductListItem[] = [];
      for await (const product of app.products.list()) listed.push(product);
      must(listed.length === NAMES.length, `the list has ${listed.length} products`);
      return listed;
    },
    ({ length }) => `the app got a token and read ${length} of ${NAMES.length} products`,
  );
  return { merchant, app, storeId, installationId: installation.id, signingSecret, products };
};
