import type { Cidr } from '../domain/address.ts';
import type { Ports } from '../domain/ports/index.ts';
import { createCreateMerchantSubscription, createCreateSubscription } from './create-subscription.ts';
import { createDeleteCollection } from './delete-collection.ts';
import { createDeleteProduct } from './delete-product.ts';
import { createExportProducts } from './export-products.ts';
import { createDeleteSubscription } from './delete-subscription.ts';
import { createGetProduct } from './get-product.ts';
import { createImportProducts } from './import-products.ts';
import { createListCollectionProducts } from './list-collection-products.ts';
import { createListEntries } from './list-entries.ts';
import { createListProducts } from './list-products.ts';
import { createListSubscriptions } from './list-subscriptions.ts';
import { createPutCategory } from './put-category.ts';
import { createPutCollection } from './put-collection.ts';
import { createPutDefinition } from './put-definition.ts';
import { createPutEntry } from './put-entry.ts';
import { createPutProduct } from './put-product.ts';
import { createPutTaxClass } from './put-tax-class.ts';
import { createSaveProducts } from './save-products.ts';
import { authenticate } from './authenticate.ts';
import { createStore } from './create-store.ts';
import { exchangeToken } from './exchange-token.ts';
import { getInstallation } from './get-installation.ts';
import { getStore } from './get-store.ts';
import { installApp } from './install-app.ts';
import { listInstallations } from './list-installations.ts';
import { listStores } from './list-stores.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { rotateClientSecret } from './rotate-client-secret.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { uninstallApp } from './uninstall-app.ts';
import { updateInstallation } from './update-installation.ts';
import { updateStore } from './update-store.ts';
import { createRunIdempotently } from './run-idempotently.ts';
import { createUpdateProducts } from './update-products.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
  /** WEBHOOK_ALLOWED_CIDRS. */
  readonly webhookAllowedCidrs: readonly Cidr[];
}

/** The use cases, by name. Each file of this folder is one; this is their table of contents. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  createMerchantSubscription: createCreateMerchantSubscription(ports, settings.webhookAllowedCidrs),
  createSubscription: createCreateSubscription(ports, settings.webhookAllowedCidrs),
  deleteSubscription: createDeleteSubscription(ports),
  listEntries: createListEntries(ports),
  listSubscriptions: createListSubscriptions(ports),
  putDefinition: createPutDefinition(ports),
  putEntry: createPutEntry(ports),
  deleteCollection: createDeleteCollection(ports),
  deleteProduct: createDeleteProduct(ports),
  exportProducts: createExportProducts(ports),
  getProduct: createGetProduct(ports),
  importProducts: createImportProducts(createSaveProducts(ports)),
  listCollectionProducts: createListCollectionProducts(ports),
  listProducts: createListProducts(ports),
  putCategory: createPutCategory(ports),
  putCollection: createPutCollection(ports),
  putProduct: createPutProduct(ports),
  putTaxClass: createPutTaxClass(ports),
  saveProducts: createSaveProducts(ports),
  authenticate: authenticate(ports),
  createStore: createStore(ports),
  exchangeToken: exchangeToken(ports),
  getInstallation: getInstallation(ports),
  getStore: getStore(ports),
  installApp: installApp(ports),
  listInstallations: listInstallations(ports),
  listStores: listStores(ports),
  revokeTokens: revokeTokens(ports),
  rotateClientSecret: rotateClientSecret(ports),
  rotateSigningSecret: rotateSigningSecret(ports),
  uninstallApp: uninstallApp(ports),
  updateInstallation: updateInstallation(ports),
  updateStore: updateStore(ports),
  runIdempotently: createRunIdempotently(ports, settings.idempotencyMaxResponseBytes),
  updateProducts: createUpdateProducts(ports, settings.bulkMaxProducts),
});

export type Application = ReturnType<typeof createApplication>;
