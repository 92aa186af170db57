import { Collections } from './collections.ts';
import { Deliveries } from './deliveries.ts';
import { Events } from './events.ts';
import { localFetch } from './local-fetch.ts';
import { Media } from './media.ts';
import { Metaobjects } from './metaobjects.ts';
import { Products } from './products.ts';
import { Subscriptions } from './subscriptions.ts';
import { Variants } from './variants.ts';
import { createTransport } from './transport.ts';

/** The store and the credentials of the app, and how requests are sent. */
export interface TenonOptions {
  /** The store's own address, such as `https://shop.example`. */
  readonly store: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The `fetch` of the platform by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How many times a request is sent at most: 8 by default. `Infinity` for a worker that outlives any outage. */
  readonly maxAttempts?: number | undefined;
  /** The longest wait before the next attempt, in milliseconds: 30,000 by default. */
  readonly maxWait?: number | undefined;
  /** How long an attempt may take, in milliseconds: 30,000 by default. */
  readonly timeout?: number | undefined;
}

const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

/** Throws where it is not an address of a store. */
const originOf = (store: string): URL => {
  const url = new URL(store);
  const isOrigin = /^https?:$/.test(url.protocol) && url.pathname === '/' && url.username === '' && url.search === '';
  if (!isOrigin) throw new TypeError('store must be the address of a store without a path, such as https://shop.example');
  return url;
};

/**
 * The app API of one store. All calls share one access token, which is renewed when it is about to
 * expire or is refused. Every call takes an `AbortSignal`, and fails with a `TenonError`.
 *
 * It holds the client secret, so it refuses to run in a browser.
 */
export class Tenon {
  /** Products: read, and changed in bulk. */
  readonly products: Products;
  /** Variants with their prices and stock: found, and changed in bulk. */
  readonly variants: Variants;
  /** Collections and their products. */
  readonly collections: Collections;
  /** The app's own custom data. */
  readonly metaobjects: Metaobjects;
  /** Imports of images. */
  readonly media: Media;
  /** The app's subscriptions to events. */
  readonly subscriptions: Subscriptions;
  /** What was delivered to the app, and what was not. */
  readonly deliveries: Deliveries;
  /** The feed of events. */
  readonly events: Events;

  /** Throws a TypeError when an option is not valid, and in a browser. It sends nothing. */
  constructor({ store, clientId, clientSecret, maxAttempts = 8, maxWait = 30_000, timeout = 30_000, ...given }: TenonOptions) {
    if (isBrowser())
      throw new TypeError('tenon-client holds the client secret of your app. Use it on your server, not in a browser.');
    if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required');
    const { origin, hostname, protocol } = originOf(store);
    const isLocal = protocol === 'http:' && hostname.endsWith('.localhost');
    const fetch = given.fetch ?? (isLocal ? localFetch : globalThis.fetch);
    const send = createTransport({ store: origin, clientId, clientSecret, fetch, maxAttempts, maxWait, timeout });
    this.products = new Products(send);
    this.variants = new Variants(send);
    this.collections = new Collections(send);
    this.metaobjects = new Metaobjects(send);
    this.media = new Media(send);
    this.subscriptions = new Subscriptions(send);
    this.deliveries = new Deliveries(send);
    this.events = new Events(send);
  }
}
