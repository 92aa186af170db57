import type { Application } from '../../application/index.ts';
import type { Result, RefusalCode } from '../../domain/result.ts';
import { ENFORCED_SCOPES } from '../../domain/identity/scope.ts';
import { demoCatalogue } from './catalogue.ts';

const CURRENCY = 'EUR';

export type DemoStore =
  | { readonly created: false }
  | {
      readonly created: true;
      readonly storeId: string;
      readonly installationId: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly signingSecret: string;
      readonly productCount: number;
      readonly exampleProductId: string;
    };

/** Only a bug can refuse the demo's own data. */
const unwrap = <T>(what: string, result: Result<T, RefusalCode>): T => {
  if (!result.ok) throw new Error(`The demo store could not be created: ${what}: ${result.message}`);
  return result.value;
};

const fill = async (app: Application, storeId: string): Promise<{ productCount: number; exampleProductId: string }> => {
  const { taxClass, categories, products, collections, definition } = demoCatalogue(CURRENCY);
  unwrap('tax class', await app.putTaxClass(storeId, taxClass.id, taxClass));
  for (const category of categories) unwrap(category.name, await app.putCategory(null, storeId, category.id, category));
  for (const saved of await app.saveProducts(null, storeId, products)) unwrap('product', saved);
  for (const collection of collections)
    unwrap(collection.title, await app.putCollection(null, storeId, collection.id, collection));
  unwrap(definition.name, await app.putDefinition(storeId, definition.type, definition));
  return { productCount: products.length, exampleProductId: products[0]?.id ?? '' };
};

/**
 * On a database without a store, creates one on the domain `localhost` with the demo catalogue and
 * an app with every enforced scope, through the use cases. Otherwise it changes nothing. The
 * secrets are returned only here. Of several nodes that start together, the one that gets the
 * domain creates the store.
 */
export const createDemoStore = async (
  app: Application,
  onProgress: (message: string) => void = () => undefined,
): Promise<DemoStore> => {
  const { total } = unwrap('stores', await app.listStores({ skip: 0, take: 1 }));
  if (total > 0) return { created: false };
  const result = await app.createStore({ domain: 'localhost', name: 'Tenon demo', currency: CURRENCY });
  if (!result.ok) return { created: false };
  const store = result.value;
  onProgress('Creating the demo store');
  const filled = await fill(app, store.id);
  const installed = unwrap('app', await app.installApp(store.id, { name: 'Demo app', scopes: ENFORCED_SCOPES }));
  const { installation, clientId, clientSecret, signingSecret } = installed;
  return { created: true, storeId: store.id, installationId: installation.id, clientId, clientSecret, signingSecret, ...filled };
};
