import type { AnyEvent, EventOf, EventType, TenonEvent } from '../event.ts';
import { MAX_BODY_BYTES, PARSED, readBytes, type Bytes } from './body.ts';
import type { Once } from './once.ts';
import type { Key } from './signature.ts';
import { keysOf, TOLERANCE, verifyDelivery, type HeaderReader } from './verify.ts';

/** Context of a handler, beside the event. */
export interface HandlerContext<Tx> {
  /** The transaction of `once`; undefined without it. */
  readonly tx: Tx;
}

/** Handles an event. When it throws or rejects, the delivery is answered with 500 and comes again. */
export type Handler<Event, Tx> = (event: Event, context: HandlerContext<Tx>) => unknown;

/** Secrets of a receiver, and its handlers. */
export interface ReceiverOptions<Tx> {
  /** The signing secret, and the previous one while it rotates. Undefined entries are left out. */
  readonly secrets: readonly (string | undefined)[];
  /** Handles each event once, in a transaction of yours. */
  readonly once?: Once<Tx> | undefined;
  /** Seconds that the clocks may differ: 300 by default. */
  readonly tolerance?: number | undefined;
  /** Gets what a handler throws, and why a delivery could not be read. `console.error` by default. */
  readonly onError?: ((error: unknown, event: TenonEvent | null) => void) | undefined;
}

/** How a delivery is answered; `reason` is the body, for the log of the sender. */
export interface Answer {
  readonly status: 204 | 400 | 405 | 413 | 500;
  readonly reason: string;
}

const ACCEPTED: Answer = { status: 204, reason: '' };
const FAILED: Answer = { status: 500, reason: 'The handler failed.' };

const BROKEN_OFF: Answer = { status: 400, reason: 'The body could not be read.' };

/** The answer to a body that is longer than any delivery. */
const TOO_LARGE: Answer = { status: 413, reason: `The body must not exceed ${String(MAX_BODY_BYTES)} bytes.` };

/** The earlier events that a gathered delivery has with its own, which is the last. Data of other types may have another list of this name. */
const gatheredBefore = ({ id, data }: TenonEvent | AnyEvent): readonly string[] => {
  const events: unknown = 'events' in data ? data.events : null;
  return Array.isArray(events) && events.at(-1) === id ? (events as string[]).slice(0, -1) : [];
};

/** Receives webhooks and events of the feed, and hands each to the handler of its type. */
export class Receiver<Tx = undefined> {
  readonly #options: ReceiverOptions<Tx>;
  readonly #keys: Promise<Key[]>;
  readonly #handlers = new Map<string, Handler<never, Tx>>();
  #otherwise: Handler<AnyEvent, Tx> | null = null;

  /** @internal */
  constructor(options: ReceiverOptions<Tx>) {
    this.#options = options;
    this.#keys = keysOf(options.secrets);
  }

  /**
   * Handles events of this type, or of each of these. A type has one handler; a second throws.
   *
   * @example
   * receiver({ secrets }).on(['order.paid', 'order.refunded'], ({ type, data }) => console.log(type, data.id));
   */
  on<T extends EventType>(types: T | readonly T[], handler: Handler<EventOf<T>, Tx>): this {
    for (const type of [types].flat() as T[]) {
      if (this.#handlers.has(type)) throw new TypeError(`${type} has a handler already`);
      this.#handlers.set(type, handler);
    }
    return this;
  }

  /**
   * Handles events of all other types. Without it they are accepted and left alone.
   *
   * @example
   * hooks.otherwise((event) => console.log('not handled:', event.type));
   */
  otherwise(handler: Handler<AnyEvent, Tx>): this {
    this.#otherwise = handler;
    return this;
  }

  /**
   * Handles an event that needs no verification, as one of the feed: in a transaction, unless it was
   * seen. Of a gathered delivery, all events count as seen. Rejects with what the handler throws.
   *
   * @example
   * for await (const event of tenon.events.follow({ after: await load(), save })) await hooks.handle(event);
   */
  async handle(event: TenonEvent | AnyEvent): Promise<void> {
    const handler = (this.#handlers.get(event.type) ?? this.#otherwise) as Handler<TenonEvent | AnyEvent, Tx> | null;
    if (handler === null) return;
    const { once } = this.#options;
    if (once === undefined) {
      await handler(event, { tx: undefined as Tx });
      return;
    }
    await once.begin(async (tx) => {
      if (await once.seen(tx, event.id)) return;
      // The feed has each of them by itself, and would bring an older state after this one.
      for (const id of gatheredBefore(event)) await once.seen(tx, id);
      await handler(event, { tx });
    });
  }

  /**
   * Verifies a delivery and handles its event. For a framework without an adapter: answer what this returns. Never rejects.
   *
   * @example
   * const { status, reason } = await hooks.deliver(bytes, (name) => request.headers[name]);
   */
  async deliver(body: Uint8Array, header: HeaderReader): Promise<Answer> {
    const verified = await verifyDelivery(body, header, {
      keys: await this.#keys,
      tolerance: this.#options.tolerance ?? TOLERANCE,
    });
    if ('reason' in verified) return verified;
    try {
      await this.handle(verified);
      return ACCEPTED;
    } catch (error) {
      this.#report(error, verified);
      return FAILED;
    }
  }

  /**
   * Works like `deliver`, for a body that is still to be read.
   *
   * @example
   * const { status, reason } = await hooks.deliverStream(request, (name) => request.headers[name]?.toString());
   */
  async deliverStream(stream: Bytes, header: HeaderReader): Promise<Answer> {
    let body: Uint8Array | null;
    try {
      body = await readBytes(stream);
    } catch (error) {
      this.#report(error, null);
      return BROKEN_OFF;
    }
    return body === null ? TOO_LARGE : this.deliver(body, header);
  }

  /**
   * The answer to a delivery whose body a parser has read. `onError` gets it too.
   *
   * @example
   * const answer = request.bodyUsed ? hooks.deliverParsed() : await hooks.deliverStream(request.body ?? [], header);
   */
  deliverParsed(): Answer {
    this.#report(new Error(PARSED), null);
    return { status: 500, reason: PARSED };
  }

  #report(error: unknown, event: TenonEvent | null): void {
    (this.#options.onError ?? console.error)(error, event);
  }

  /**
   * Request in, Response out: for Hono, Next.js, Bun, Deno, Workers and other servers of the web
   * standard. It needs no `this`.
   *
   * @example
   * export const POST = hooks.fetch;
   */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { status, reason } = await this.#answer(request);
    const headers = { ...(status === 405 && { Allow: 'POST' }), 'Content-Type': 'text/plain; charset=utf-8' };
    return new Response(status === 204 ? null : reason, { status, headers: status === 204 ? {} : headers });
  };

  async #answer(request: Request): Promise<Answer> {
    if (request.method !== 'POST') return { status: 405, reason: 'Deliveries come by POST.' };
    if (request.bodyUsed) return this.deliverParsed();
    return this.deliverStream(request.body ?? [], (name) => request.headers.get(name));
  }
}

/**
 * A receiver of webhooks: it verifies each delivery by the signing secret, and hands the event to
 * the handler of its type. Throws a TypeError when a secret is missing or is not valid.
 *
 * @example
 * const hooks = receiver({ secrets: [process.env['SIGNING_SECRET']] }).on('product.updated', ({ data }) => reindex(data.id));
 * export const POST = hooks.fetch;
 */
export const receiver = <Tx = undefined>(options: ReceiverOptions<Tx>): Receiver<Tx> => new Receiver(options);
