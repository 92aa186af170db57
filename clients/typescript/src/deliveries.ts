import type { CallOptions } from './call.ts';
import { Resource } from './resource.ts';
import type { Delivery, DeliveryDetail, DeliveryFilter } from './types.ts';

const PATH = '/apps/webhooks/deliveries';

/** The log of the deliveries to the app. */
export class Deliveries extends Resource {
  /**
   * The deliveries that match, the newest first; the pages are read as you iterate. Needs `read_webhooks`.
   *
   * @example
   * for await (const { id, errorCode } of tenon.deliveries.list({ status: 'Failed' })) console.log(id, errorCode);
   */
  list(filter: DeliveryFilter & CallOptions = {}): AsyncGenerator<Delivery, void> {
    return this.pages([PATH], filter);
  }

  /**
   * A delivery with its attempts. Needs `read_webhooks`.
   *
   * @example
   * const { log } = await tenon.deliveries.get(id);
   */
  get(id: string, options?: CallOptions): Promise<DeliveryDetail> {
    return this.read('GET', [PATH, id], options);
  }

  /**
   * Sends a delivery again, with the same event id and body. Needs `write_webhooks`.
   *
   * @example
   * await tenon.deliveries.redeliver(id);
   */
  async redeliver(id: string, options?: CallOptions): Promise<void> {
    await this.call('POST', [PATH, id, 'redeliver'], options);
  }
}
