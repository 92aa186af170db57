import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DeliveryQueue, DeliveryWork } from '../../../src/domain/ports/webhooks/delivery-queue.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';

export interface MemoryDeliveryQueue extends DeliveryQueue {
  /**
   * Does what was asked for and is due by the clock, and what that asks for in turn, until nothing
   * is left.
   */
  run(): Promise<void>;
  readonly failures: readonly unknown[];
}

/** `id` names what the work is about. */
interface Piece {
  readonly id: string;
  run(work: DeliveryWork): Promise<void>;
}

const RETRY_MS = 1000;

/**
 * Begins in the next microtask what is asked for, once `work` was called; what is for later begins
 * in a `run` after its time.
 */
export const deliveryQueue = (clock: Clock): MemoryDeliveryQueue => {
  const waiting = new Map<string, Piece>();
  const running = new Map<string, Promise<void>>();
  const later = new Map<string, { piece: Piece; at: number }>();
  const failures: unknown[] = [];
  let handlers: DeliveryWork | undefined;

  const perform = async (key: string, piece: Piece, work: DeliveryWork): Promise<void> => {
    await Promise.resolve();
    try {
      await piece.run(work);
    } catch (error) {
      failures.push(error);
      later.set(`retry ${key}`, { piece, at: clock.now() + RETRY_MS });
    }
    running.delete(key);
    begin();
  };
  const begin = (): void => {
    if (handlers === undefined) return;
    for (const [key, piece] of waiting) {
      if (running.has(key)) continue;
      waiting.delete(key);
      running.set(key, perform(key, piece, handlers));
    }
  };
  const delivering = (subscription: SubscriptionKey): Piece => ({
    id: `deliver ${subscription.subscriptionId}`,
    run: (work) => work.deliver(subscription),
  });
  const ask = (pieces: readonly Piece[]): Promise<void> => {
    for (const piece of pieces) waiting.set(piece.id, piece);
    queueMicrotask(begin);
    return Promise.resolve();
  };
  const promote = (): void => {
    for (const [key, { piece, at }] of later) {
      if (at > clock.now()) continue;
      later.delete(key);
      waiting.set(piece.id, piece);
    }
    begin();
  };

  return {
    failures,
    fanOut: (storeId) => ask([{ id: `fanOut ${storeId}`, run: (work) => work.fanOut(storeId) }]),
    wake: (subscriptions) => ask(subscriptions.map(delivering)),
    wakeLater: (subscription, seconds) => {
      later.set(subscription.subscriptionId, { piece: delivering(subscription), at: clock.now() + seconds * 1000 });
      return Promise.resolve();
    },
    work: (work) => {
      handlers = work;
      queueMicrotask(begin);
    },
    run: async () => {
      promote();
      while (running.size > 0) await Promise.all(running.values());
    },
    depth: () => Promise.resolve(waiting.size),
    reachable: () => Promise.resolve(true),
    close: async () => {
      handlers = undefined;
      await Promise.all(running.values());
    },
  };
};
