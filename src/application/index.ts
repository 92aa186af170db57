import type { Ports } from '../domain/ports/index.ts';
import { auditChange } from './insight/audit-change.ts';
import { auditLookups } from './insight/audit-lookups.ts';
import { authenticateSession, authenticate, authenticateOperator } from './identity/authenticate.ts';
import { createAppConsoleCode } from './identity/create-app-console-code.ts';
import { createConsoleCode } from './identity/create-console-code.ts';
import { createMediaImport } from './media/create-media-import.ts';
import { createMerchantSubscription, createSubscription } from './webhooks/create-subscription.ts';
import { subscriptionChanges, deleteSubscription } from './webhooks/change-subscription.ts';
import { deleteProduct } from './catalogue/delete-product.ts';
import { describeCaller } from './identity/describe-caller.ts';
import { eraseStore, isBeingErased } from './identity/erase-store.ts';
import { exchangeToken } from './identity/exchange-token.ts';
import { exportProducts, productPages } from './catalogue/export-products.ts';
import { getAttention } from './insight/get-attention.ts';
import { getDelivery } from './webhooks/get-delivery.ts';
import { getCallFigures } from './insight/get-call-figures.ts';
import { getReceiverFigures } from './insight/get-receiver-figures.ts';
import { getEvent } from './webhooks/get-event.ts';
import { incidentLookups } from './insight/incident-lookups.ts';
import { catalogueLookups } from './catalogue/lookups.ts';
import { taxonomyUses } from './catalogue/taxonomy.ts';
import { customDataLookups } from './custom-data/lookups.ts';
import { identityLookups } from './identity/lookups.ts';
import { operatorUses } from './identity/operators.ts';
import { ownUses } from './own-uses.ts';
import { platformApps } from './identity/platform-apps.ts';
import { insightLookups } from './insight/lookups.ts';
import { mediaLookups } from './media/lookups.ts';
import { webhookLookups } from './webhooks/lookups.ts';
import { search } from './insight/search.ts';
import { repair, verify } from './insight/verify.ts';
import { recordImport } from './catalogue/record-import.ts';
import { saveIntoStore } from './catalogue/save-into-store.ts';
import { installApp } from './identity/install-app.ts';
import { issueTrialToken } from './identity/issue-trial-token.ts';
import { deleteEntry } from './custom-data/delete-entry.ts';
import { judgeUrl } from './webhooks/judge-target.ts';
import { listEvents } from './webhooks/list-events.ts';
import { pingOwnSubscription, pingSubscription } from './webhooks/ping-subscription.ts';
import { putDefinition } from './custom-data/put-definition.ts';
import { putEntry } from './custom-data/put-entry.ts';
import { putProduct } from './catalogue/put-product.ts';
import { readFeed } from './webhooks/read-feed.ts';
import { recordEvent } from './webhooks/record-event.ts';
import { redeliverFailed, redeliverMatching, redeliver } from './webhooks/redeliver.ts';
import { locateRequests } from './identity/sealed-install-request.ts';
import { revokeTokens, rotateClientSecret, rotateSigningSecret, updateInstallation } from './identity/change-installation.ts';
import { runIdempotently } from './idempotency/run-idempotently.ts';
import { sandboxUses } from './sandbox-uses.ts';
import { saveProducts } from './catalogue/save-products.ts';
import { lookAtAppCode, signInApp } from './identity/sign-in-app.ts';
import { signInMethodUses } from './identity/sign-in-methods.ts';
import { lookAtCode, signIn, signOut, signOutApp, lookAtSession, useSession } from './identity/sign-in.ts';
import { uninstallApp } from './identity/uninstall-app.ts';
import { updateProducts } from './catalogue/update-products.ts';
import { updateVariants } from './catalogue/update-variants.ts';
import { storeChanges } from './identity/store-changes.ts';
import { tryNow } from './webhooks/delivery/try-now.ts';
import { tryOptions } from './webhooks/try-options.ts';
import type { ApplicationSettings } from './settings.ts';

/** The use cases, by name: each is a file of its own, unless it only looks something up. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  ...auditLookups(ports),
  ...catalogueLookups(ports),
  ...customDataLookups(ports),
  ...identityLookups(ports),
  ...incidentLookups(ports),
  ...insightLookups(ports),
  ...mediaLookups(ports),
  ...operatorUses(ports, settings.adminToken),
  ...ownUses(ports, settings),
  ...sandboxUses(ports, settings),
  ...platformApps(ports, settings, judgeUrl(ports, settings.webhookAllowedCidrs)),
  ...signInMethodUses(ports, settings.adminToken),
  ...storeChanges(ports, settings.sandboxDomain),
  ...subscriptionChanges(ports, settings),
  ...taxonomyUses(ports),
  ...webhookLookups(ports),
  auditChange: auditChange({ ...ports, locator: locateRequests(ports) }),
  authenticate: authenticate(ports),
  authenticateOperator: authenticateOperator(ports),
  authenticateSession: authenticateSession(ports),
  createAppConsoleCode: createAppConsoleCode(ports, settings.appConsoleUrl),
  createConsoleCode: createConsoleCode(ports, settings.adminToken),
  createMediaImport: createMediaImport(ports),
  createMerchantSubscription: createMerchantSubscription(ports, settings),
  createSubscription: createSubscription(ports, settings),
  deleteEntry: deleteEntry(ports),
  deleteProduct: deleteProduct(ports),
  deleteSubscription: deleteSubscription(ports),
  describeCaller: describeCaller(ports),
  eraseStore: eraseStore(ports),
  exchangeToken: exchangeToken(ports),
  exportProducts: exportProducts(ports),
  exportWholeProducts: productPages(ports),
  getAttention: getAttention(ports),
  getCallFigures: getCallFigures(ports),
  getDelivery: getDelivery(ports),
  getEvent: getEvent(ports),
  getReceiverFigures: getReceiverFigures(ports),
  importProducts: recordImport(ports, saveIntoStore(ports, saveProducts(ports))),
  installApp: installApp(ports),
  isBeingErased: isBeingErased(ports),
  issueTrialToken: issueTrialToken(ports),
  lookAtSession: lookAtSession(ports, settings.adminToken),
  listEvents: listEvents(ports),
  pingOwnSubscription: pingOwnSubscription(ports),
  pingSubscription: pingSubscription(ports),
  putDefinition: putDefinition(ports),
  putEntry: putEntry(ports),
  putProduct: putProduct(ports),
  readFeed: readFeed(ports),
  recordEvent: recordEvent(ports),
  redeliver: redeliver(ports),
  redeliverFailed: redeliverFailed(ports),
  redeliverMatching: redeliverMatching(ports),
  repair: repair(ports),
  revokeTokens: revokeTokens(ports),
  rotateClientSecret: rotateClientSecret(ports, settings.secretOverlapSeconds),
  rotateSigningSecret: rotateSigningSecret(ports, settings.secretOverlapSeconds),
  runIdempotently: runIdempotently(ports, settings.idempotencyMaxResponseBytes),
  saveProducts: saveProducts(ports),
  search: search(ports),
  signInApp: signInApp(ports),
  lookAtAppCode: lookAtAppCode(ports),
  signOutApp: signOutApp(ports),
  lookAtCode: lookAtCode(ports, settings.adminToken),
  signIn: signIn(ports, settings.adminToken),
  signOut: signOut(ports),
  tryNow: tryNow(ports, settings.delivery),
  uninstallApp: uninstallApp(ports),
  tryOptions: tryOptions(ports, settings),
  updateInstallation: updateInstallation(ports),
  updateProducts: updateProducts(ports, settings.bulkMaxProducts),
  updateVariants: updateVariants(ports, settings.bulkMaxProducts),
  verify: verify(ports),
  useSession: useSession(ports, settings.adminToken),
});

export type Application = ReturnType<typeof createApplication>;
