import { oneOf, present, text } from '../../api/search.ts';

/** `app` is an installation, or `merchant` for the merchant's own. */
export const subscriptionSearch = (given: Record<string, unknown>) =>
  present({
    q: text(given, 'q'),
    app: text(given, 'app'),
    open: text(given, 'open'),
    state: oneOf(given, 'state', ['attention', 'fine']),
    after: text(given, 'after'),
  });

export type SubscriptionSearch = ReturnType<typeof subscriptionSearch>;

/** Search parameters to change. The router removes an undefined member. */
export type SubscriptionChange = { readonly [K in keyof SubscriptionSearch]?: SubscriptionSearch[K] | undefined };

export const isFiltered = ({ q, app, state }: SubscriptionSearch): boolean =>
  [q, app, state].some((value) => value !== undefined);

/** The `app` of subscriptions that belong to no app. */
export const MERCHANT = 'merchant';
