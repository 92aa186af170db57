import { segment, type CallOptions, type Send } from './call.ts';
import { TenonError } from './tenon-error.ts';
import type { WebhookSubscription, WebhookSubscriptionInput } from './types.ts';

const PATH = '/apps/webhooks/subscriptions';
const pathOf = (id: string): string => `${PATH}/${segment(id)}`;

/** The app's subscriptions to events. */
export class Subscriptions {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The subscriptions of the app, the oldest first. Needs `read_webhooks`.
   *
   * @example
   * for (const { id, url } of await tenon.subscriptions.list()) console.log(id, url);
   */
  async list(options: CallOptions = {}): Promise<readonly WebhookSubscription[]> {
    return (await this.#send<WebhookSubscription[]>({ ...options, method: 'GET', path: PATH })).body;
  }

  /**
   * Subscribes a URL to types of events. When no answer comes, the call is not repeated, because a
   * second one would be a second subscription: look at `list`. Needs `write_webhooks` and the scope
   * of each type.
   *
   * @example
   * await tenon.subscriptions.create({ url: 'https://app.example/webhooks', eventTypes: ['product.updated'] });
   */
  async create(subscription: WebhookSubscriptionInput, options: CallOptions = {}): Promise<WebhookSubscription> {
    return (await this.#send<WebhookSubscription>({ ...options, method: 'POST', path: PATH, body: subscription })).body;
  }

  /**
   * Removes a subscription. Its queued deliveries are dropped. Needs `write_webhooks`.
   *
   * @example
   * await tenon.subscriptions.delete(id);
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    try {
      await this.#send({ ...options, method: 'DELETE', path: pathOf(id) });
    } catch (error) {
      // An earlier attempt whose answer was lost has removed it.
      if (error instanceof TenonError && error.status === 404 && error.attempts > 1) return;
      throw error;
    }
  }

  /**
   * Sends a `ping` to the receiver. Needs `write_webhooks`.
   *
   * @example
   * await tenon.subscriptions.ping(id);
   */
  async ping(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ ...options, method: 'POST', path: `${pathOf(id)}/ping` });
  }
}
