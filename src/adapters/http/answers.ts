import type { z } from 'zod';

import type * as attentions from './insight/attention.ts';
import type * as attempts from './webhooks/attempt-now.ts';
import type * as audits from './insight/audit.ts';
import type * as calls from './insight/call-figures.ts';
import type * as catalogue from './catalogue/catalog.ts';
import type * as consoles from './identity/console-code.ts';
import type * as deliveries from './webhooks/delivery.ts';
import type * as events from './webhooks/event.ts';
import type * as incidents from './insight/incident.ts';
import type * as imports from './media/import-log.ts';
import type * as productImports from './catalogue/import-report.ts';
import type * as recordedImports from './catalogue/product-imports.ts';
import type * as installRequests from './identity/install-request.ts';
import type * as installations from './identity/installation.ts';
import type * as keys from './idempotency/key-life.ts';
import type * as live from './insight/live.ts';
import type * as merchantEvents from './webhooks/merchant-event.ts';
import type * as operators from './identity/operator.ts';
import type * as signInMethods from './identity/sign-in-method.ts';
import type * as platformApps from './identity/platform-app.ts';
import type * as receivers from './webhooks/receiver-figures.ts';
import type * as redeliveries from './webhooks/redelivery.ts';
import type * as products from './catalogue/product.ts';
import type * as requests from './insight/refused-request.ts';
import type * as figures from './insight/stats.ts';
import type * as stores from './identity/store.ts';
import type * as subscriptions from './webhooks/subscription.ts';
import type { dryRun } from './webhooks/subscription-options.ts';
import type * as searches from './insight/search.ts';
import type * as trials from './identity/trial-request.ts';
import type * as trialTokens from './identity/trial-token.ts';
import type * as variantBulks from './catalogue/variant-bulk.ts';
import type * as checks from './insight/verify.ts';
import type * as watchedInstallations from './identity/watched-installation.ts';

// What the admin API answers, as types: for its clients in this repository, the console and the command line. The schemas also
// write its OpenAPI document.
export type AcceptedInstall = z.output<typeof installRequests.acceptedInstall>;
export type AskedScope = InstallRequest['scopes'][number];
export type InstallRequest = z.output<typeof installRequests.installRequest>;
export type PlatformApp = z.output<typeof platformApps.platformApp>;
export type RefusedInstall = z.output<typeof installRequests.refusedInstall>;
export type RegisteredApp = z.output<typeof platformApps.registeredApp>;
export type Attention = z.output<typeof attentions.attention>;
export type AuditedChange = AuditPage['items'][number];
export type AuditPage = z.output<typeof audits.auditPage>;
export type AppConsoleLink = z.output<typeof consoles.appConsoleLink>;
export type Delivery = z.output<typeof deliveries.delivery>;
export type DeliveryDetail = z.output<typeof deliveries.deliveryDetail>;
export type DeliveryPage = z.output<typeof deliveries.deliveryPage>;
export type AttemptNow = z.output<typeof attempts.attemptNow>;
export type Attempt = DeliveryDetail['log'][number];
export type ImportReport = z.output<typeof productImports.importReport>;
export type Incident = z.output<typeof incidents.incident>;
export type IncidentPage = z.output<typeof incidents.incidentPage>;
export type Installation = z.output<typeof installations.installation>;
export type InstalledApp = z.output<typeof installations.installedApp>;
export type KeyLife = z.output<typeof keys.keyLife>;
export type LiveFrame = z.output<typeof live.liveFrame>;
export type MediaImport = z.output<typeof imports.importSummary>;
export type MediaImportDetail = z.output<typeof imports.importDetail>;
export type MediaImportPage = z.output<typeof imports.importPage>;
export type EventSamples = z.output<typeof merchantEvents.eventSamples>;
export type CallingOperator = z.output<typeof operators.callingOperator>;
export type ConsoleSession = z.output<typeof operators.sessionList>['items'][number];
export type IssuedOperatorToken = z.output<typeof operators.issuedOperatorToken>;
export type Operator = z.output<typeof operators.operator>;
export type OperatorToken = z.output<typeof operators.operatorToken>;
export type PasskeyChallenge = z.output<typeof signInMethods.passkeyChallenge>;
export type SignInMethod = z.output<typeof signInMethods.signInMethod>;
export type Product = z.output<typeof products.productResponse>;
export type ProductImport = z.output<typeof recordedImports.productImport>;
export type ProductImportPage = z.output<typeof recordedImports.productImportPage>;
export type ProductListItem = z.output<typeof catalogue.productListResponse>['items'][number];
export type CallFigures = z.output<typeof calls.callFigures>;
export type ReceiverFigures = z.output<typeof receivers.receiverFigures>;
export type RecordedEvent = z.output<typeof merchantEvents.recordedEvent>;
export type Redelivery = z.output<typeof redeliveries.redeliveryProgress>;
export type RedeliveredMatching = z.output<typeof redeliveries.redeliveredMatching>;
export type RefusedRequest = z.output<typeof requests.refusedRequest>;
export type RefusedRequestGroups = z.output<typeof requests.refusedRequestGroups>;
export type RefusedRequestPage = z.output<typeof requests.refusedRequestPage>;
export type WatchedInstallation = z.output<typeof watchedInstallations.watchedInstallation>;
export type SearchAnswer = z.output<typeof searches.searchAnswer>;
export type Found = SearchAnswer['items'][number];
export type Stats = z.output<typeof figures.stats>;
export type Store = z.output<typeof stores.store>;
export type StoreErasure = z.output<typeof stores.storeErasure>;
export type MerchantSubscription = z.output<typeof subscriptions.merchantSubscriptionResponse>;
export type SubscriptionDryRun = z.output<typeof dryRun>;
export type Subscription = z.output<typeof subscriptions.subscriptionResponse>;
export type WatchedSubscription = z.output<typeof subscriptions.watchedSubscription>;
export type VariantBulkResult = z.output<typeof variantBulks.variantBulkResponse>;
export type RepairedPage = z.output<typeof checks.repairedPage>;
export type Verification = z.output<typeof checks.verification>;
export type TrialResponse = z.output<typeof trials.trialResponse>;
export type UninstallPreview = z.output<typeof installations.uninstallPreview>;
export type RotatedSecret =
  z.output<typeof installations.rotatedClientSecret> | z.output<typeof installations.rotatedSigningSecret>;
export type ConsoleCode = z.output<typeof consoles.consoleCode>;
export type TrialToken = z.output<typeof trialTokens.trialToken>;
export type EventDetail = z.output<typeof events.eventDetail>;
export type FeedEvent = z.output<typeof events.feedEvent>;
export type FeedPage = z.output<typeof events.feedPage>;

export type SentEvent = Pick<EventDetail, 'id' | 'type' | 'timestamp' | 'storeId' | 'data' | 'resourceId'>;

/** A list with `?skip&take`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly skip: number;
  readonly take: number;
  readonly total: number;
}

/** A page of a list by creation. */
export interface ListPage<T> extends Page<T> {
  readonly next: string | null;
}
