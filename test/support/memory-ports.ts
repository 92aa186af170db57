import { createAddressResolver } from '../memory/address-resolver.ts';
import { manualClock, type ManualClock } from '../memory/clock.ts';
import { createFeedSignal } from '../memory/webhooks/feed-signal.ts';
import { createWorkLeases } from '../memory/work-lease.ts';
import { deliveryQueue, type MemoryDeliveryQueue } from '../memory/webhooks/delivery-queue.ts';
import { importQueue, type MemoryImportQueue } from '../memory/media/import-queue.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { createMediaSource, type MemoryMediaSource, type MemoryMediaSourceOptions } from '../memory/media/media-source.ts';
import { createMediaStorage, type MemoryMediaStorage } from '../memory/media/media-storage.ts';
import { createPatternMatcher } from '../memory/pattern-matcher.ts';
import { createMemorySecrets } from '../memory/secrets.ts';
import { createMemoryState } from '../memory/state.ts';
import { manualTurns, type ManualTurns } from '../memory/turns.ts';
import {
  createWebhookSender,
  type MemoryWebhookSender,
  type MemoryWebhookSenderOptions,
} from '../memory/webhooks/webhook-sender.ts';
import { recording, requestWork } from '../../src/adapters/wiring/ports/recording.ts';
import { judgedTransactions } from './judged-transactions.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

export interface MemoryWorld extends Ports {
  readonly clock: ManualClock;
  readonly deliveryQueue: MemoryDeliveryQueue;
  readonly importQueue: MemoryImportQueue;
  readonly mediaSource: MemoryMediaSource;
  readonly mediaStorage: MemoryMediaStorage;
  readonly webhookSender: MemoryWebhookSender;
  readonly turns: ManualTurns;
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
  const ports = judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state));
  return {
    clock,
    ids,
    secrets: createMemorySecrets(),
    addresses: createAddressResolver(),
    patterns: createPatternMatcher(),
    turns: manualTurns(),
    mediaSource,
    mediaStorage: createMediaStorage(mediaSource.read),
    ...ports,
    transaction: recording(ports.transaction, [requestWork({ deliveryQueue: queue, importQueue: imports })]),
    workLeases: createWorkLeases(state),
    feedSignal: createFeedSignal(state),
    deliveryQueue: queue,
    importQueue: imports,
    webhookSender: createWebhookSender(sender),
  };
};
