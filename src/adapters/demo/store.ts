import type { Application } from '../../application/index.ts';
import { unwrapDemo } from '../../application/fill-store.ts';
import { ENFORCED_SCOPES } from '../../domain/identity/scope.ts';
import { demoProducts } from './catalogue.ts';

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
  const { total } = unwrapDemo('stores', await app.listStores({ skip: 0, take: 1 }));
  if (total > 0) return { created: false };
  const result = await app.createStore({ domain: 'localhost', name: 'Tenon demo', currency: CURRENCY });
  if (!result.ok) return { created: false };
  const store = result.value;
  onProgress('Creating the demo store');
  const productCount = await app.fillStore(store.id, CURRENCY);
  const installed = unwrapDemo('app', await app.installApp(store.id, { name: 'Demo app', scopes: ENFORCED_SCOPES }));
  const { installation, clientId, clientSecret, signingSecret } = installed;
  const filled = { productCount, exampleProductId: demoProducts()[0]?.id ?? '' };
  return { created: true, storeId: store.id, installationId: installation.id, clientId, clientSecret, signingSecret, ...filled };
};
