import { segment, split, type CallOptions, type Send } from './call.ts';
import type { Delivery, DeliveryDetail, DeliveryFilter } from './types.ts';
import { TAKE } from './walk.ts';

const PATH = '/apps/webhooks/deliveries';
const pathOf = (id: string): string => `${PATH}/${segment(id)}`;

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

  /**
   * The deliveries that match, the newest first; the pages are read as you iterate. Needs `read_webhooks`.
   *
   * @example
   * for await (const { id, errorCode } of tenon.deliveries.list({ status: 'Failed' })) console.log(id, errorCode);
   */
  async *list(given: DeliveryFilter & CallOptions = {}): AsyncGenerator<Delivery, void> {
    const { options, about: filter } = split(given);
    let after: string | null | undefined;
    while (after !== null) {
      const query = { ...filter, after, take: TAKE };
      const page: Page = (await this.#send<Page>({ ...options, method: 'GET', path: PATH, query })).body;
      yield* page.items;
      after = page.next;
    }
  }

  /**
   * A delivery with its attempts. Needs `read_webhooks`.
   *
   * @example
   * const { log } = await tenon.deliveries.get(id);
   */
  async get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    return (await this.#send<DeliveryDetail>({ ...options, method: 'GET', path: pathOf(id) })).body;
  }

  /**
   * Sends a delivery again, with the same event id and body. Needs `write_webhooks`.
   *
   * @example
   * await tenon.deliveries.redeliver(id);
   */
  async redeliver(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ ...options, method: 'POST', path: `${pathOf(id)}/redeliver` });
  }
}
