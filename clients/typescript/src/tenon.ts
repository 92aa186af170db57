import type { CallOptions, Method, Query, Result, Send } from './call.ts';
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
import { Warehouses } from './warehouses.ts';
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
  /** The longest wait before the next attempt, in milliseconds: 30,000 by default. For a token, at least 120,000 if the server asks for it. */
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

/** Throws where it is not an address of a store. */
const originOf = (store: string): URL => {
  try {
    const url = new URL(store);
    if (/^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url;
  } catch {
    // Not an address at all.
  }
  throw new TypeError('store must be the address of a store without a path, such as https://shop.example');
};

/**
 * The app API of one store. All calls share one access token, which is renewed when it is about to
 * expire or is refused. Every call takes `CallOptions`, and fails with a `TenonError`.
 *
 * It holds the client secret, so it refuses to run in a browser.
 */
export class Tenon {
  /** Products: read, and changed in bulk. */
  declare readonly products: Products;
  /** Variants with their prices and stock: found, and changed in bulk. */
  declare readonly variants: Variants;
  /** Warehouses with their names. */
  declare readonly warehouses: Warehouses;
  /** Collections and their products. */
  declare readonly collections: Collections;
  /** The app's own custom data. */
  declare readonly metaobjects: Metaobjects;
  /** Imports of images. */
  declare readonly media: Media;
  /** The app's subscriptions to events. */
  declare readonly subscriptions: Subscriptions;
  /** Deliveries to the app, with those that failed. */
  declare readonly deliveries: Deliveries;
  /** The feed of events. */
  declare readonly events: Events;

  readonly #options: TenonOptions;
  readonly #send: Send;
  #lastResponse: ResponseInfo | null = null;

  /** Throws a TypeError when an option is not valid, and in a browser. It sends nothing. */
  constructor(options: TenonOptions) {
    if ('document' in globalThis) throw new TypeError('tenon-client holds a secret. Use it on a server, not in a browser.');
    if (!options.clientId || !options.clientSecret) throw new TypeError('clientId and clientSecret are required');
    const { origin } = originOf(options.store);
    const isLocal = /^http:.+\.localhost(:\d+)?$/.test(origin);
    this.#options = options;
    const send = createTransport({
      ...options,
      store: origin,
      fetch: options.fetch ?? (isLocal ? localFetch : fetch),
      userAgent: userAgent(options.app),
      onResponse: (response) => {
        this.#lastResponse = response;
        options.onResponse?.(response);
      },
    });
    this.#send = send;
    this.products = new Products(send);
    this.variants = new Variants(send);
    this.warehouses = new Warehouses(send);
    this.collections = new Collections(send);
    this.metaobjects = new Metaobjects(send);
    this.media = new Media(send);
    this.subscriptions = new Subscriptions(send);
    this.deliveries = new Deliveries(send);
    this.events = new Events(send);
  }

  /**
   * A client with the same options for another store that installed your app, by its domain. They share the `tokens`,
   * which keep one token for each store.
   *
   * @example
   * const other = tenon.forStore('sunrise.example.com');
   * for await (const { name } of other.products.list()) console.log(name);
   */
  forStore(domain: string): Tenon {
    const { protocol, port } = new URL(this.#options.store);
    const url = originOf(`${protocol}//${domain}`);
    // Without a port, that of this client: on your own machine, all stores have the same.
    url.port ||= port;
    return new Tenon({ ...this.#options, store: url.origin });
  }

  /**
   * Result of the request that ended last: its request id and the remaining requests of the rate
   * limit. Null before the first. For calls that run at the same time, use `onResponse`.
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
  async request<T = unknown>(method: Method, path: string, options?: RequestOptions): Promise<Result<T>> {
    if (!path.startsWith('/')) throw new TypeError('path must begin with a slash');
    return this.#send({ ...options, method, path });
  }
}
