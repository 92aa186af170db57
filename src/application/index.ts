import type { Ports } from '../domain/ports/index.ts';
import { authenticateSession } from './identity/authenticate-session.ts';
import { authenticate } from './identity/authenticate.ts';
import { createAppConsoleCode } from './identity/create-app-console-code.ts';
import { createConsoleCode } from './identity/create-console-code.ts';
import { createStore } from './identity/create-store.ts';
import { createMediaImport } from './media/create-media-import.ts';
import { createMerchantSubscription, createSubscription } from './webhooks/create-subscription.ts';
import { deleteCollection } from './catalogue/delete-collection.ts';
import { deleteProduct } from './catalogue/delete-product.ts';
import { deleteSubscription } from './webhooks/delete-subscription.ts';
import { describeCaller } from './identity/describe-caller.ts';
import { exchangeToken } from './identity/exchange-token.ts';
import { exportProducts } from './catalogue/export-products.ts';
import { getAttention } from './insight/get-attention.ts';
import { getDelivery } from './webhooks/get-delivery.ts';
import { getEvent } from './webhooks/get-event.ts';
import { getFeedEvent } from './webhooks/get-feed-event.ts';
import { getImportDetail } from './media/get-import-detail.ts';
import { getInstallation } from './identity/get-installation.ts';
import { getKeyLife } from './idempotency/get-key-life.ts';
import { getMediaImport } from './media/get-media-import.ts';
import { getProduct } from './catalogue/get-product.ts';
import { getRedelivery } from './webhooks/get-redelivery.ts';
import { getRefusal } from './insight/get-refusal.ts';
import { getStats } from './insight/get-stats.ts';
import { search } from './insight/search.ts';
import { verify } from './insight/verify.ts';
import { getStore } from './identity/get-store.ts';
import { importProducts } from './catalogue/import-products.ts';
import { installApp } from './identity/install-app.ts';
import { issueTrialToken } from './identity/issue-trial-token.ts';
import { listCollectionProducts } from './catalogue/list-collection-products.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listEntries } from './custom-data/list-entries.ts';
import { listEvents } from './webhooks/list-events.ts';
import { listInstallations } from './identity/list-installations.ts';
import { listMediaImports } from './media/list-media-imports.ts';
import { listProducts } from './catalogue/list-products.ts';
import { listRefusals } from './insight/list-refusals.ts';
import { listStores } from './identity/list-stores.ts';
import { listSubscriptions } from './webhooks/list-subscriptions.ts';
import { pingOwnSubscription } from './webhooks/ping-own-subscription.ts';
import { pingSubscription } from './webhooks/ping-subscription.ts';
import { previewUninstall } from './identity/preview-uninstall.ts';
import { putCategory } from './catalogue/put-category.ts';
import { putCollection } from './catalogue/put-collection.ts';
import { putDefinition } from './custom-data/put-definition.ts';
import { putEntry } from './custom-data/put-entry.ts';
import { putProduct } from './catalogue/put-product.ts';
import { putTaxClass } from './catalogue/put-tax-class.ts';
import { readFeed } from './webhooks/read-feed.ts';
import { recordEvent } from './webhooks/record-event.ts';
import { redeliverFailed } from './webhooks/redeliver-failed.ts';
import { redeliverMatching } from './webhooks/redeliver-matching.ts';
import { redeliver } from './webhooks/redeliver.ts';
import { revokeTokens } from './identity/revoke-tokens.ts';
import { rotateClientSecret } from './identity/rotate-client-secret.ts';
import { rotateSigningSecret } from './identity/rotate-signing-secret.ts';
import { runIdempotently } from './idempotency/run-idempotently.ts';
import { saveProducts } from './catalogue/save-products.ts';
import { signInApp } from './identity/sign-in-app.ts';
import { signIn } from './identity/sign-in.ts';
import { signOutApp } from './identity/sign-out-app.ts';
import { signOut } from './identity/sign-out.ts';
import { uninstallApp } from './identity/uninstall-app.ts';
import { updateInstallation } from './identity/update-installation.ts';
import { updateProducts } from './catalogue/update-products.ts';
import { updateStore } from './identity/update-store.ts';
import { useSession } from './identity/use-session.ts';
import { watchSubscriptions } from './webhooks/watch-subscriptions.ts';
import type { ApplicationSettings } from './settings.ts';

/** The use cases, by name. Each file of this folder is one; this is their table of contents. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  authenticate: authenticate(ports),
  authenticateSession: authenticateSession(ports),
  createAppConsoleCode: createAppConsoleCode(ports, settings.appConsoleUrl),
  createConsoleCode: createConsoleCode(ports, settings.adminToken),
  createMediaImport: createMediaImport(ports),
  createMerchantSubscription: createMerchantSubscription(ports, settings.webhookAllowedCidrs),
  createStore: createStore(ports),
  createSubscription: createSubscription(ports, settings.webhookAllowedCidrs),
  deleteCollection: deleteCollection(ports),
  deleteProduct: deleteProduct(ports),
  deleteSubscription: deleteSubscription(ports),
  describeCaller: describeCaller(ports),
  exchangeToken: exchangeToken(ports),
  exportProducts: exportProducts(ports),
  getAttention: getAttention(ports),
  getDelivery: getDelivery(ports),
  getEvent: getEvent(ports),
  getFeedEvent: getFeedEvent(ports),
  getImportDetail: getImportDetail(ports),
  getInstallation: getInstallation(ports),
  getKeyLife: getKeyLife(ports),
  getMediaImport: getMediaImport(ports),
  getProduct: getProduct(ports),
  getRedelivery: getRedelivery(ports),
  getRefusal: getRefusal(ports),
  getStats: getStats(ports),
  getStore: getStore(ports),
  importProducts: importProducts(saveProducts(ports)),
  installApp: installApp(ports),
  issueTrialToken: issueTrialToken(ports),
  listCollectionProducts: listCollectionProducts(ports),
  listDeliveries: listDeliveries(ports),
  listEntries: listEntries(ports),
  listEvents: listEvents(ports),
  listInstallations: listInstallations(ports),
  listMediaImports: listMediaImports(ports),
  listProducts: listProducts(ports),
  listRefusals: listRefusals(ports),
  listStores: listStores(ports),
  listSubscriptions: listSubscriptions(ports),
  pingOwnSubscription: pingOwnSubscription(ports),
  pingSubscription: pingSubscription(ports),
  previewUninstall: previewUninstall(ports),
  putCategory: putCategory(ports),
  putCollection: putCollection(ports),
  putDefinition: putDefinition(ports),
  putEntry: putEntry(ports),
  putProduct: putProduct(ports),
  putTaxClass: putTaxClass(ports),
  readFeed: readFeed(ports),
  recordEvent: recordEvent(ports),
  redeliver: redeliver(ports),
  redeliverFailed: redeliverFailed(ports),
  redeliverMatching: redeliverMatching(ports),
  revokeTokens: revokeTokens(ports),
  rotateClientSecret: rotateClientSecret(ports, settings.secretOverlapSeconds),
  rotateSigningSecret: rotateSigningSecret(ports, settings.secretOverlapSeconds),
  runIdempotently: runIdempotently(ports, settings.idempotencyMaxResponseBytes),
  saveProducts: saveProducts(ports),
  search: search(ports),
  signInApp: signInApp(ports),
  signOutApp: signOutApp(ports),
  signIn: signIn(ports, settings.adminToken),
  signOut: signOut(ports),
  uninstallApp: uninstallApp(ports),
  updateInstallation: updateInstallation(ports),
  updateProducts: updateProducts(ports, settings.bulkMaxProducts),
  verify: verify(ports),
  updateStore: updateStore(ports),
  useSession: useSession(ports, settings.adminToken),
  watchSubscriptions: watchSubscriptions(ports),
});

export type Application = ReturnType<typeof createApplication>;
