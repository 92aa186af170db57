/** To whom a delivery goes, as people call it. */
export interface Receiver {
  /** Null when the subscription was removed: nothing is known of it any more. */
  readonly name: string | null;
  /** Null after the subscription was removed. */
  readonly url: string | null;
  /** The name of the app that subscribed. Null is the merchant. */
  readonly owner: string | null;
}

/** Host and path. The query may have a secret in it. */
const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`;
};

/** Display name of a subscription: its description, or its address. */
export const receiverName = ({ description, url }: { readonly description: string | null; readonly url: string }): string =>
  description?.trim() || placeOf(url);
