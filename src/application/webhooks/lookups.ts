import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { RedeliveryProgress } from '../../domain/ports/webhooks/redelivery-repository.ts';
import { orNotFound } from '../../domain/result.ts';
import { sealCursor } from './feed-cursors.ts';
import { inStoreOf } from './in-its-store.ts';
import { visibleTypes } from '../../domain/webhooks/feed.ts';
import type { SubscriptionOwner } from '../../domain/webhooks/subscription.ts';

type LookupPorts = Pick<Ports, 'deliveryLog' | 'eventFeed' | 'locator' | 'redeliveries' | 'secrets' | 'subscriptions'>;

const asShown = (progress: RedeliveryProgress) => ({ ...progress, isFinished: progress.finishedAt !== null });

export const webhookLookups = ({ deliveryLog, eventFeed, locator, redeliveries, secrets, subscriptions }: LookupPorts) => ({
  /** A subscription of the merchant or of an app, with its health. */
  getSubscription: orNotFound('Subscription', subscriptions.find),
  /** The body with all its data, as JSON, of an event that the app may see. */
  getFeedEvent: orNotFound('Event', async ({ storeId, installationId, scopes }: Caller, id: string) => {
    const event = await eventFeed.get({ storeId, installationId, types: visibleTypes(scopes) }, id);
    return event?.body ?? null;
  }),
  /** A subscription of the app itself. Another's does not exist for it. */
  getOwnSubscription: orNotFound('Subscription', async ({ storeId, installationId }: Caller, id: string) => {
    const subscription = await subscriptions.find(storeId, id);
    return subscription?.installationId === installationId ? subscription : null;
  }),
  /** Progress of a redelivery by filter. */
  getRedelivery: orNotFound('Redelivery', async (id: string) => {
    const progress = await inStoreOf(locator, 'redelivery', id, (storeId) => redeliveries.get(storeId, id));
    return progress && asShown(progress);
  }),
  /** Reads a redelivery of this app's own deliveries. */
  getOwnRedelivery: orNotFound('Redelivery', async ({ storeId, installationId }: Caller, id: string) => {
    const progress = await redeliveries.get(storeId, id);
    return progress?.installationId === installationId ? asShown(progress) : null;
  }),
  /** The cursor behind the newest event of the store's feed. */
  newestCursor: orNotFound('Store', async (storeId: string) => {
    const place = await eventFeed.newest(storeId);
    return place && sealCursor(secrets, storeId, place);
  }),
  listDeliveries: orNotFound('Store', deliveryLog.list),
  /** The subscriptions of this installation alone, or of the merchant. */
  listSubscriptions: orNotFound('Store', ({ storeId, installationId }: SubscriptionOwner) =>
    subscriptions.list({ storeId, installationId }),
  ),
  /** The subscriptions of the store that match, with their health. */
  watchSubscriptions: orNotFound('Store', subscriptions.watch),
});
