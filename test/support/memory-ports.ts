import { createAddressResolver } from '../../src/adapters/memory/address-resolver.ts';
import { manualClock } from '../../src/adapters/memory/clock.ts';
import type { ManualClock } from '../../src/adapters/memory/clock.ts';
import { createDeliveryFence } from '../../src/adapters/memory/delivery-fence.ts';
import { deliveryQueue } from '../../src/adapters/memory/delivery-queue.ts';
import type { MemoryDeliveryQueue } from '../../src/adapters/memory/delivery-queue.ts';
import { sequentialIds } from '../../src/adapters/memory/ids.ts';
import { createMemoryPorts } from '../../src/adapters/memory/index.ts';
import { createPatternMatcher } from '../../src/adapters/memory/pattern-matcher.ts';
import { createMemorySecrets } from '../../src/adapters/memory/secrets.ts';
import { createMemoryState } from '../../src/adapters/memory/state.ts';
import { createWebhookSender } from '../../src/adapters/memory/webhook-sender.ts';
import type { MemoryWebhookSender, MemoryWebhookSenderOptions } from '../../src/adapters/memory/webhook-sender.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

export interface MemoryWorld extends Ports {
  readonly clock: ManualClock;
  readonly deliveryQueue: MemoryDeliveryQueue;
  readonly webhookSender: MemoryWebhookSender;
}

/** Everything the core asks of the world, without I/O. */
export const openMemoryPorts = (sender: MemoryWebhookSenderOptions = {}, state = createMemoryState()): MemoryWorld => {
  const clock = manualClock();
  const ids = sequentialIds();
  const queue = deliveryQueue(clock);
  const onEvents = (storeId: string): void => void queue.fanOut(storeId);
  return {
    clock,
    ids,
    secrets: createMemorySecrets(),
    addresses: createAddressResolver(),
    patterns: createPatternMatcher(),
    ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60, onEvents }, state),
    deliveryFence: createDeliveryFence(state),
    deliveryQueue: queue,
    webhookSender: createWebhookSender(sender),
  };
};
