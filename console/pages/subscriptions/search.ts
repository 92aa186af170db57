import { oneOf, present, text } from '../../api/search.ts';
import { RANGE_NAMES } from '../overview/ranges.ts';

/** `app` is an installation, or `merchant` for the merchant's own. */
export const subscriptionSearch = (given: Record<string, unknown>) =>
  present({
    q: text(given, 'q'),
    app: text(given, 'app'),
    open: text(given, 'open'),
    state: oneOf(given, 'state', ['attention', 'fine']),
  });

export type SubscriptionSearch = ReturnType<typeof subscriptionSearch>;

/** The `app` of subscriptions that belong to no app. */
export const MERCHANT = 'merchant';

/** The range of the figures on the page of a receiver. */
export const receiverSearch = (given: Record<string, unknown>) => present({ range: oneOf(given, 'range', RANGE_NAMES) });
