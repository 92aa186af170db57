import { present, someOf, text, timeText } from '../../api/search.ts';
import type { Delivery } from '../../api/types.ts';
import { ERRORS } from './words.ts';

const STATUSES = ['Waiting', 'Retrying', 'Delivered', 'Failed', 'Dropped'] as const satisfies readonly Delivery['status'][];

const WAITING_REASONS = [
  'store_inactive',
  'app_suspended',
  'paused_by_merchant',
  'paused_after_failures',
  'queued',
] as const satisfies readonly NonNullable<Delivery['waitingBecause']>[];

/** Beside the statuses: those whose last attempt failed, whether they are tried again, wait or failed for good. */
export const FAILING = 'Failing';
const FAILING_STATUSES = ['Waiting', 'Retrying', 'Failed'] as const satisfies readonly Delivery['status'][];

/** Chips offer the most frequent filters. */
export const CHIPS = [FAILING, ...STATUSES] as const;

/** By what the list is filtered, which delivery is open, and from where it is read. All of it is in the URL. */
export const deliverySearch = (given: Record<string, unknown>) =>
  present({
    status: someOf(given, 'status', CHIPS),
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

/** Search parameters to change. The router removes an undefined member. */
export type DeliveryChange = { readonly [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

const statusFilterOf = (chips: DeliverySearch['status'], error: string | undefined) => {
  const errors = error === undefined ? undefined : [error];
  if (chips?.includes(FAILING) !== true) return { status: chips, errors };
  return { status: FAILING_STATUSES, errors: errors ?? Object.keys(ERRORS) };
};

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
  ...statusFilterOf(status, errors),
  waitingBecause: waiting,
  types: types === undefined ? undefined : [types],
  installationId: app,
  subscriptionId: subscription,
  eventId: event,
  resourceId: resource,
  since,
  until,
});

/** A redelivery needs a filter: nobody sends everything of a store again by mistake. */
export const isFiltered = (search: DeliverySearch): boolean =>
  Object.values(filterOf(search)).some((value) => value !== undefined);
