import { emptyHistory } from '../../faults/history.ts';
import type {
  Answer,
  Attempt,
  EventRow,
  History,
  KeyHistory,
  ProductRow,
  Rows,
  SubscriptionHistory,
} from '../../faults/history.ts';

export const STORE = 'store';
export const PRODUCT = 'product';

export const bulkBody = (status: string, slug: string | null = 'a', errorCode: string | null = null): string =>
  JSON.stringify({ results: [{ id: PRODUCT, status, slug, errorCode }] });

export const anAnswer = (more: Partial<Answer> = {}): Answer => ({
  status: 200,
  replay: false,
  contentType: 'application/json',
  body: bulkBody('Updated'),
  ...more,
});

export const anAttempt = (more: Partial<Attempt> = {}): Attempt => ({
  node: 1,
  sentAt: 100,
  endedAt: 110,
  answer: anAnswer(),
  left: false,
  ...more,
});

export const aKey = (more: Partial<KeyHistory> = {}): KeyHistory => ({
  installationId: 'app',
  storeId: STORE,
  key: 'k',
  marks: [{ productId: PRODUCT, value: 'k/0' }],
  attempts: [anAttempt()],
  intruder: null,
  ...more,
});

/** The event of a bulk update that set this mark, after that one. */
export const anUpdate = (mark: string, previous: string | null = null, more: Partial<EventRow> = {}): EventRow => ({
  id: `event of ${mark}`,
  storeId: STORE,
  type: 'product.updated',
  resourceId: PRODUCT,
  body: JSON.stringify({ data: { id: PRODUCT, previous: { metaTitle: previous }, current: { metaTitle: mark } } }),
  ...more,
});

export const aProduct = (metaTitle: string | null, more: Partial<ProductRow> = {}): ProductRow => ({
  id: PRODUCT,
  storeId: STORE,
  slug: 'a',
  metaTitle,
  isDeleted: false,
  kept: {},
  counted: {},
  ...more,
});

export const aSubscription = (more: Partial<SubscriptionHistory> = {}): SubscriptionHistory => ({
  id: 'subscription',
  storeId: STORE,
  installationId: null,
  eventTypes: ['product.updated', 'order.paid'],
  createdAt: 10,
  removalSentAt: null,
  removedAt: null,
  ...more,
});

/** A delivery of the event to the subscription, as it should be. */
export const aDelivery = ({ id, body }: EventRow) => ({
  subscriptionId: 'subscription',
  eventId: id,
  at: 120,
  body,
  signed: true,
  alive: false,
});

export const aHistory = (more: Partial<History> = {}): History => ({ ...emptyHistory(), ...more });
export const theRows = (more: Partial<Rows> = {}): Rows => ({ events: [], products: [], totals: [], ...more });
