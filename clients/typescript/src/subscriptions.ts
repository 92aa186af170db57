import type { CallOptions, Send } from './call.ts';
import { TenonError } from './tenon-error.ts';
import type { WebhookSubscription, WebhookSubscriptionDryRun, WebhookSubscriptionInput } from './types.ts';

const PATH = '/apps/webhooks/subscriptions';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** The app's subscriptions to events. */
export class Subscriptions {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** The subscriptions of the app, the oldest first. Needs `read_webhooks`. */
  async list({ signal }: CallOptions = {}): Promise<readonly WebhookSubscription[]> {
    return (await this.#send<WebhookSubscription[]>({ method: 'GET', path: PATH, signal })).body;
  }

  /**
   * Subscribes a URL to types of events. When no answer comes, the call is not repeated, because a
   * second one would be a second subscription: look at `list`. Needs `write_webhooks` and the scope
   * of each type.
   */
  async create(subscription: WebhookSubscriptionInput, { signal }: CallOptions = {}): Promise<WebhookSubscription> {
    return (await this.#send<WebhookSubscription>({ method: 'POST', path: PATH, body: subscription, signal })).body;
  }

  /**
   * Says what the newest 1,000 events of the store would have sent to such a subscription, and which
   * conditions of its filter stopped the others. Creates nothing. Needs `write_webhooks`.
   */
  async dryRun(subscription: WebhookSubscriptionInput, { signal }: CallOptions = {}): Promise<WebhookSubscriptionDryRun> {
    const call = { method: 'POST', path: PATH, query: { dryRun: '1' }, body: subscription, signal } as const;
    return (await this.#send<WebhookSubscriptionDryRun>(call)).body;
  }

  /** Removes a subscription. Its queued deliveries are dropped. Needs `write_webhooks`. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    try {
      await this.#send({ method: 'DELETE', path: pathOf(id), signal });
    } catch (error) {
      // An earlier attempt whose answer was lost has removed it.
      if (error instanceof TenonError && error.status === 404 && error.attempts > 1) return;
      throw error;
    }
  }

  /** Sends a `ping` to the receiver. Needs `write_webhooks`. */
  async ping(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'POST', path: `${pathOf(id)}/ping`, signal });
  }
}
