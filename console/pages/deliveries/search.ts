import { present, someOf, text, timeText } from '../../api/search.ts';
import type { Delivery } from '../../api/types.ts';

export const STATUSES = [
  'Waiting',
  'Retrying',
  'Delivered',
  'Failed',
  'Dropped',
] as const satisfies readonly Delivery['status'][];

/** Why deliveries wait. */
const WAITING_REASONS = [
  'store_inactive',
  'app_suspended',
  'paused_by_merchant',
  'paused_after_failures',
  'queued',
] as const satisfies readonly NonNullable<Delivery['waitingBecause']>[];

/** By what the list is filtered, which delivery is open, and from where it is read. All of it is in the URL. */
export const deliverySearch = (given: Record<string, unknown>) =>
  present({
    status: someOf(given, 'status', STATUSES),
    waiting: someOf(given, 'waiting', WAITING_REASONS),
    types: text(given, 'types'),
    errors: text(given, 'errors'),
    app: text(given, 'app'),
    subscription: text(given, 'subscription'),
    event: text(given, 'event'),
    resource: text(given, 'resource'),
    since: timeText(given, 'since'),
    until: timeText(given, 'until'),
    after: text(given, 'after'),
    open: text(given, 'open'),
    /** A redelivery whose progress is shown. */
    redelivery: text(given, 'redelivery'),
  });

export type DeliverySearch = ReturnType<typeof deliverySearch>;

/** What a part of the page asks the router to change. A member that is undefined is taken away. */
export type DeliveryChange = { readonly [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

/** The filter as the API names it. */
export const filterOf = ({
  status,
  waiting,
  types,
  errors,
  app,
  subscription,
  event,
  resource,
  since,
  until,
}: DeliverySearch) => ({
  status,
  waitingBecause: waiting,
  types: types === undefined ? undefined : [types],
  errors: errors === undefined ? undefined : [errors],
  installationId: app,
  subscriptionId: subscription,
  eventId: event,
  resourceId: resource,
  since,
  until,
});

/** Whether anything is filtered: to send again everything of a store needs a filter. */
export const isFiltered = (search: DeliverySearch): boolean =>
  Object.values(filterOf(search)).some((value) => value !== undefined);
