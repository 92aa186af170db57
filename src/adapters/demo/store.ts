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
      /** A product to try the detail and the bulk update with. */
      readonly exampleProductId: string;
    };

/** The demo's own data is refused only by a bug of ours. */
const made = <T>(what: string, result: Result<T, RefusalCode>): T => {
  if (!result.ok) throw new Error(`the demo store could not be made: ${what}: ${result.message}`);
  return result.value;
};

const fill = async (app: Application, storeId: string): Promise<{ productCount: number; exampleProductId: string }> => {
  const { taxClass, categories, products, collections, definition } = demoCatalogue(CURRENCY);
  made('tax class', await app.putTaxClass(storeId, taxClass.id, taxClass));
  for (const category of categories) made(category.name, await app.putCategory(storeId, category.id, category));
  for (const saved of await app.saveProducts(storeId, products)) made('product', saved);
  for (const collection of collections) made(collection.title, await app.putCollection(storeId, collection.id, collection));
  made(definition.name, await app.putDefinition(storeId, definition.type, definition));
  return { productCount: products.length, exampleProductId: products[0]?.id ?? '' };
};

/**
 * On a database without a store: makes one on the domain `localhost` with the demo catalogue and an
 * app with every enforced scope, by the ordinary use cases, and says so first. Otherwise changes
 * nothing. The secrets are told here once. Of nodes that start at once, the one that gets the
 * domain does it.
 */
export const createDemoStore = async (
  app: Application,
  onProgress: (message: string) => void = () => undefined,
): Promise<DemoStore> => {
  const { total } = made('stores', await app.listStores({ skip: 0, take: 1 }));
  if (total > 0) return { created: false };
  const created = await app.createStore({ domain: 'localhost', name: 'Tenon demo', currency: CURRENCY });
  if (!created.ok) return { created: false };
  const store = created.value;
  onProgress('Making the demo store');
  const filled = await fill(app, store.id);
  const installed = made('app', await app.installApp(store.id, { name: 'Demo app', scopes: ENFORCED_SCOPES }));
  const { installation, clientId, clientSecret, signingSecret } = installed;
  return { created: true, storeId: store.id, installationId: installation.id, clientId, clientSecret, signingSecret, ...filled };
};
