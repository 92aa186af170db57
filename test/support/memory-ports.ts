import { createAddressResolver } from '../../src/adapters/memory/address-resolver.ts';
import { manualClock } from '../../src/adapters/memory/clock.ts';
import type { ManualClock } from '../../src/adapters/memory/clock.ts';
import { createFeedSignal } from '../../src/adapters/memory/webhooks/feed-signal.ts';
import { createWorkLeases } from '../../src/adapters/memory/work-lease.ts';
import { deliveryQueue } from '../../src/adapters/memory/webhooks/delivery-queue.ts';
import type { MemoryDeliveryQueue } from '../../src/adapters/memory/webhooks/delivery-queue.ts';
import { importQueue } from '../../src/adapters/memory/media/import-queue.ts';
import type { MemoryImportQueue } from '../../src/adapters/memory/media/import-queue.ts';
import { sequentialIds } from '../../src/adapters/memory/ids.ts';
import { createMemoryPorts } from '../../src/adapters/memory/index.ts';
import { createMediaSource } from '../../src/adapters/memory/media/media-source.ts';
import type { MemoryMediaSource, MemoryMediaSourceOptions } from '../../src/adapters/memory/media/media-source.ts';
import { createMediaStorage } from '../../src/adapters/memory/media/media-storage.ts';
import type { MemoryMediaStorage } from '../../src/adapters/memory/media/media-storage.ts';
import { createPatternMatcher } from '../../src/adapters/memory/pattern-matcher.ts';
import { createMemorySecrets } from '../../src/adapters/memory/secrets.ts';
import { createMemoryState } from '../../src/adapters/memory/state.ts';
import { createWebhookSender } from '../../src/adapters/memory/webhooks/webhook-sender.ts';
import type { MemoryWebhookSender, MemoryWebhookSenderOptions } from '../../src/adapters/memory/webhooks/webhook-sender.ts';
import { notifyAfterCommit } from '../../src/adapters/wiring/notify-after-commit.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

export interface MemoryWorld extends Ports {
  readonly clock: ManualClock;
  readonly deliveryQueue: MemoryDeliveryQueue;
  readonly importQueue: MemoryImportQueue;
  readonly mediaSource: MemoryMediaSource;
  readonly mediaStorage: MemoryMediaStorage;
  readonly webhookSender: MemoryWebhookSender;
}

/** Every port, implemented in memory. */
export const openMemoryPorts = (
  sender: MemoryWebhookSenderOptions = {},
  state = createMemoryState(),
  media: MemoryMediaSourceOptions = {},
): MemoryWorld => {
  const clock = manualClock();
  const ids = sequentialIds();
  const queue = deliveryQueue(clock);
  const imports = importQueue(clock);
  const mediaSource = createMediaSource(media);
  const ports = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state);
  return {
    clock,
    ids,
    secrets: createMemorySecrets(),
    addresses: createAddressResolver(),
    patterns: createPatternMatcher(),
    mediaSource,
    mediaStorage: createMediaStorage(mediaSource.read),
    ...ports,
    transaction: notifyAfterCommit(ports.transaction, { deliveryQueue: queue, importQueue: imports }),
    workLeases: createWorkLeases(state),
    feedSignal: createFeedSignal(state),
    deliveryQueue: queue,
    importQueue: imports,
    webhookSender: createWebhookSender(sender),
  };
};
