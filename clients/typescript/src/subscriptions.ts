import type { CallOptions } from './call.ts';
import { Resource } from './resource.ts';
import type { WebhookSubscription, WebhookSubscriptionDryRun, WebhookSubscriptionInput } from './types.ts';

const PATH = '/apps/webhooks/subscriptions';

/** The app's subscriptions to events. */
export class Subscriptions extends Resource {
  /**
   * The subscriptions of the app, the oldest first. Needs `read_webhooks`.
   *
   * @example
   * for (const { id, url } of await tenon.subscriptions.list()) console.log(id, url);
   */
  list(options?: CallOptions): Promise<readonly WebhookSubscription[]> {
    return this.read('GET', [PATH], options);
  }

  /**
   * Subscribes a URL to types of events. When no answer comes, the call is not repeated, because a
   * second one would be a second subscription: look at `list`. Needs `write_webhooks` and the scope
   * of each type.
   *
   * @example
   * await tenon.subscriptions.create({ url: 'https://app.example/webhooks', eventTypes: ['product.updated'] });
   */
  create(subscription: WebhookSubscriptionInput, options?: CallOptions): Promise<WebhookSubscription> {
    return this.read('POST', [PATH], { ...options, body: subscription });
  }

  /**
   * Says what the newest events that the app may see would have sent to such a subscription, and which
   * conditions of its filter stopped the others. Creates nothing. Needs `write_webhooks`.
   *
   * @example
   * const filter = { origin: 'not_self' };
   * const { sent, events } = await tenon.subscriptions.dryRun({ url, eventTypes: ['product.updated'], filter });
   */
  dryRun(subscription: WebhookSubscriptionInput, options?: CallOptions): Promise<WebhookSubscriptionDryRun> {
    return this.read('POST', [PATH], { ...options, query: { dryRun: '1' }, body: subscription });
  }

  /**
   * Removes a subscription. Its queued deliveries are dropped. Needs `write_webhooks`.
   *
   * @example
   * await tenon.subscriptions.delete(id);
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.call('DELETE', [PATH, id], options);
  }

  /**
   * Sends a `ping` to the receiver. Needs `write_webhooks`.
   *
   * @example
   * await tenon.subscriptions.ping(id);
   */
  async ping(id: string, options?: CallOptions): Promise<void> {
    await this.call('POST', [PATH, id, 'ping'], options);
  }
}
