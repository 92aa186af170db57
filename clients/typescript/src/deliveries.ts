import type { CallOptions, Send } from './call.ts';
import type { Delivery, DeliveryDetail, DeliveryFilter } from './types.ts';
import { TAKE } from './walk.ts';

const PATH = '/apps/webhooks/deliveries';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

interface Page {
  readonly items: readonly Delivery[];
  readonly next: string | null;
}

/** The log of the deliveries to the app. */
export class Deliveries {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** The deliveries that match, the newest first; the pages are read as you iterate. Needs `read_webhooks`. */
  async *list({ signal, ...filter }: DeliveryFilter & CallOptions = {}): AsyncGenerator<Delivery, void> {
    let after: string | null | undefined;
    while (after !== null) {
      const query = { ...filter, after, take: TAKE };
      const page: Page = (await this.#send<Page>({ method: 'GET', path: PATH, query, signal })).body;
      yield* page.items;
      after = page.next;
    }
  }

  /** A delivery with its attempts. Needs `read_webhooks`. */
  async get(id: string, { signal }: CallOptions = {}): Promise<DeliveryDetail> {
    return (await this.#send<DeliveryDetail>({ method: 'GET', path: pathOf(id), signal })).body;
  }

  /** Sends a delivery again, with the same event id and body. Needs `write_webhooks`. */
  async redeliver(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'POST', path: `${pathOf(id)}/redeliver`, signal });
  }
}
