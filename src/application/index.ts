import type { Cidr } from '../domain/address.ts';
import type { Ports } from '../domain/ports/index.ts';
import { authenticate } from './authenticate.ts';
import { createStore } from './create-store.ts';
import { createMediaImport } from './create-media-import.ts';
import { createMerchantSubscription, createSubscription } from './create-subscription.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteProduct } from './delete-product.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { exchangeToken } from './exchange-token.ts';
import { exportProducts } from './export-products.ts';
import { getDelivery } from './get-delivery.ts';
import { getInstallation } from './get-installation.ts';
import { getMediaImport } from './get-media-import.ts';
import { getProduct } from './get-product.ts';
import { getStore } from './get-store.ts';
import { importProducts } from './import-products.ts';
import { installApp } from './install-app.ts';
import { listCollectionProducts } from './list-collection-products.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEntries } from './list-entries.ts';
import { listInstallations } from './list-installations.ts';
import { listProducts } from './list-products.ts';
import { listStores } from './list-stores.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { pingSubscription } from './ping-subscription.ts';
import { putCategory } from './put-category.ts';
import { putCollection } from './put-collection.ts';
import { putDefinition } from './put-definition.ts';
import { putEntry } from './put-entry.ts';
import { putProduct } from './put-product.ts';
import { putTaxClass } from './put-tax-class.ts';
import { recordEvent } from './record-event.ts';
import { redeliverFailed } from './redeliver-failed.ts';
import { redeliver } from './redeliver.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { rotateClientSecret } from './rotate-client-secret.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { runIdempotently } from './run-idempotently.ts';
import { saveProducts } from './save-products.ts';
import { uninstallApp } from './uninstall-app.ts';
import { updateInstallation } from './update-installation.ts';
import { updateProducts } from './update-products.ts';
import { updateStore } from './update-store.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
  /** SECRET_OVERLAP_SECONDS. */
  readonly secretOverlapSeconds: number;
  /** WEBHOOK_ALLOWED_CIDRS. */
  readonly webhookAllowedCidrs: readonly Cidr[];
}

/** The use cases, by name. Each file of this folder is one; this is their table of contents. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  authenticate: authenticate(ports),
  createMediaImport: createMediaImport(ports),
  createMerchantSubscription: createMerchantSubscription(ports, settings.webhookAllowedCidrs),
  createStore: createStore(ports),
  createSubscription: createSubscription(ports, settings.webhookAllowedCidrs),
  deleteCollection: deleteCollection(ports),
  deleteProduct: deleteProduct(ports),
  deleteSubscription: deleteSubscription(ports),
  exchangeToken: exchangeToken(ports),
  exportProducts: exportProducts(ports),
  getDelivery: getDelivery(ports),
  getInstallation: getInstallation(ports),
  getMediaImport: getMediaImport(ports),
  getProduct: getProduct(ports),
  getStore: getStore(ports),
  importProducts: importProducts(saveProducts(ports)),
  installApp: installApp(ports),
  listCollectionProducts: listCollectionProducts(ports),
  listDeliveries: listDeliveries(ports),
  listEntries: listEntries(ports),
  listInstallations: listInstallations(ports),
  listProducts: listProducts(ports),
  listStores: listStores(ports),
  listSubscriptions: listSubscriptions(ports),
  pingSubscription: pingSubscription(ports),
  putCategory: putCategory(ports),
  putCollection: putCollection(ports),
  putDefinition: putDefinition(ports),
  putEntry: putEntry(ports),
  putProduct: putProduct(ports),
  putTaxClass: putTaxClass(ports),
  recordEvent: recordEvent(ports),
  redeliver: redeliver(ports),
  redeliverFailed: redeliverFailed(ports),
  revokeTokens: revokeTokens(ports),
  rotateClientSecret: rotateClientSecret(ports, settings.secretOverlapSeconds),
  rotateSigningSecret: rotateSigningSecret(ports, settings.secretOverlapSeconds),
  runIdempotently: runIdempotently(ports, settings.idempotencyMaxResponseBytes),
  saveProducts: saveProducts(ports),
  uninstallApp: uninstallApp(ports),
  updateInstallation: updateInstallation(ports),
  updateProducts: updateProducts(ports, settings.bulkMaxProducts),
  updateStore: updateStore(ports),
});

export type Application = ReturnType<typeof createApplication>;
