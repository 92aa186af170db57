import { split, type CallOptions, type Method, type Query, type Result, type Send } from './call.ts';
import { Collections } from './collections.ts';
import { Deliveries } from './deliveries.ts';
import { Events } from './events.ts';
import { localFetch } from './local-fetch.ts';
import { Media } from './media.ts';
import { Metaobjects } from './metaobjects.ts';
import type { Hooks, ResponseInfo } from './observed.ts';
import { Products } from './products.ts';
import { Subscriptions } from './subscriptions.ts';
import { Variants } from './variants.ts';
import type { TokenStore } from './token.ts';
import { createTransport } from './transport.ts';
import { userAgent, type AppInfo } from './user-agent.ts';

/** The store and the credentials of the app, and how requests are sent. */
export interface TenonOptions extends Hooks {
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
  /** Keeps the token for other processes. By default each client exchanges the credentials itself. */
  readonly tokens?: TokenStore | undefined;
  /** Names your app in the `User-Agent`. */
  readonly app?: AppInfo | undefined;
}

/** A call that the client has no method for. */
export interface RequestOptions extends CallOptions {
  /** An entry that is undefined is left out, and a list repeats its parameter. */
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The `Idempotency-Key`. With it, a POST may be sent again. */
  readonly key?: string | undefined;
}

const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

const urlOf = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** Throws where it is not an address of a store. */
const originOf = (store: string): URL => {
  const url = urlOf(store);
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.username === '' && url.search === '';
  if (!isOrigin) throw new TypeError('store must be the address of a store without a path, such as https://shop.example');
  return url;
};

/**
 * The app API of one store. All calls share one access token, which is renewed when it is about to
 * expire or is refused. Every call takes `CallOptions`, and fails with a `TenonError`.
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

  readonly #send: Send;
  #lastResponse: ResponseInfo | null = null;

  /** Throws a TypeError when an option is not valid, and in a browser. It sends nothing. */
  constructor({ store, clientId, clientSecret, maxAttempts = 8, maxWait = 30_000, timeout = 30_000, ...given }: TenonOptions) {
    if (isBrowser())
      throw new TypeError('tenon-client holds the client secret of your app. Use it on your server, not in a browser.');
    if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required');
    const { origin, hostname, protocol } = originOf(store);
    const isLocal = protocol === 'http:' && hostname.endsWith('.localhost');
    const fetch = given.fetch ?? (isLocal ? localFetch : globalThis.fetch);
    const send = createTransport({
      ...given,
      store: origin,
      clientId,
      clientSecret,
      fetch,
      maxAttempts,
      maxWait,
      timeout,
      tokens: given.tokens,
      userAgent: userAgent(given.app),
      noteResponse: (response) => {
        this.#lastResponse = response;
      },
    });
    this.#send = send;
    this.products = new Products(send);
    this.variants = new Variants(send);
    this.collections = new Collections(send);
    this.metaobjects = new Metaobjects(send);
    this.media = new Media(send);
    this.subscriptions = new Subscriptions(send);
    this.deliveries = new Deliveries(send);
    this.events = new Events(send);
  }

  /**
   * What came of the request that ended last: its request id and the remaining requests of the rate limit. Null
   * before the first. For calls that run at the same time, use `onResponse`.
   *
   * @example
   * await tenon.products.get(id);
   * console.log(tenon.lastResponse?.requestId, tenon.lastResponse?.rateLimit?.remaining);
   */
  get lastResponse(): ResponseInfo | null {
    return this.#lastResponse;
  }

  /**
   * A call that the client has no method for, with its token and its retries. `path` begins with a
   * slash.
   *
   * @example
   * const { body } = await tenon.request<{ total: number }>('GET', '/apps/catalog/products', { query: { take: 1 } });
   */
  async request<T = unknown>(method: Method, path: string, given: RequestOptions = {}): Promise<Result<T>> {
    if (!path.startsWith('/')) throw new TypeError('path must begin with a slash, such as /apps/catalog/products');
    const { options, about } = split(given);
    const { key, query = {}, body } = about;
    const headers = { ...options.headers, ...(key !== undefined && { 'Idempotency-Key': key }) };
    return this.#send<T>({ ...options, method, path, query, body, headers });
  }
}
