import { join } from 'node:path';
import type { Logger } from 'pino';

import type { ProductImportLog } from '../../../domain/ports/catalogue/product-import-log.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { Locator } from '../../../domain/ports/locator.ts';
import type { ImportQueue } from '../../../domain/ports/media/import-queue.ts';
import type { DeliveryQueue } from '../../../domain/ports/webhooks/delivery-queue.ts';
import type { LiveChannel } from '../../../domain/ports/webhooks/live-channel.ts';
import { createDeliveryQueue } from '../../bullmq/delivery-queue.ts';
import { createImportQueue } from '../../bullmq/import-queue.ts';
import type { JobQueueOptions } from '../../bullmq/job-queue.ts';
import { createAddressResolver, type NameFigures } from '../../node/names/address-resolver.ts';
import { createPatternMatcher } from '../../node/pattern-matcher.ts';
import { turnsOf } from '../../node/turns.ts';
import { createMediaSource } from '../../outgoing/media/media-source.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { createWebhookSender } from '../../outgoing/webhook/webhook-sender.ts';
import type { Storage, StoragePorts, MaintenanceTask } from '../../storage/storage.ts';
import { openSecrets } from '../keys/open-secrets.ts';
import { reportUnopened } from '../keys/report-unopened.ts';
import { namesMedia } from '../names-media.ts';
import type { Membership } from '../processes/membership.ts';
import type { Config } from '../settings/config.ts';
import type { Opening } from './closers.ts';
import { publishCommitted } from './live-sources.ts';
import { recording, requestWork } from './recording.ts';

/**
 * Stores and subscriptions that one node serves at once. Each waits for receivers most of the time.
 */
const WORK_AT_ONCE = 256;
/** Installations whose images one node fetches at once. */
const IMPORTS_AT_ONCE = 8;
/** The node runs this much of the requested work at once, without the queue. Any node takes the rest. */
const CAPACITY = 64;
/**
 * A store's first event starts its fan-out at once. Under load the fan-outs of a store start at
 * least this far apart.
 */
const FAN_OUT_INTERVAL_MS = 20;

/**
 * A request for work that fails does not fail the HTTP request or the turn that made it: the sweep
 * finds the work in the rows.
 */
const loggingFailures = (log: Logger) => {
  const logged = (request: Promise<void>): Promise<void> =>
    request.catch((error: unknown) => {
      log.warn({ err: error }, 'Work could not be requested. The sweep will find it.');
    });
  return {
    deliveries: (queue: DeliveryQueue): DeliveryQueue => ({
      ...queue,
      fanOut: (storeId) => logged(queue.fanOut(storeId)),
      wake: (subscriptions) => logged(queue.wake(subscriptions)),
      wakeLater: (subscription, seconds) => logged(queue.wakeLater(subscription, seconds)),
    }),
    imports: (queue: ImportQueue): ImportQueue => ({
      ...queue,
      ask: (owners) => logged(queue.ask(owners)),
      askLater: (owner, seconds) => logged(queue.askLater(owner, seconds)),
    }),
  };
};

interface QueuesOpening extends Opening {
  readonly onUnopened: (kid: string) => void;
}

/**
 * The queues of the background work, on Redis or else on the database. Their requests never reject.
 */
const openQueues = async (config: Config, { databaseUrl, log, closers, onUnopened }: QueuesOpening, { storeOf }: Locator) => {
  const isReported = reportUnopened(log, onUnopened);
  const options: Pick<JobQueueOptions, 'backend' | 'onError'> = {
    backend: config.REDIS_URL === undefined ? { databaseUrl } : { redisUrl: config.REDIS_URL },
    onError: (error, work) => {
      if (!isReported(error)) log.warn({ err: error, work }, 'Work failed, or its queue is away. It will be tried again.');
    },
  };
  const deliveries = await createDeliveryQueue({
    ...options,
    concurrency: WORK_AT_ONCE,
    capacity: CAPACITY,
    fanOutIntervalMs: FAN_OUT_INTERVAL_MS,
    storeOf: (subscriptionId) => storeOf('subscription', subscriptionId),
  });
  closers.push(() => deliveries.close());
  const imports = await createImportQueue({
    ...options,
    concurrency: IMPORTS_AT_ONCE,
    capacity: IMPORTS_AT_ONCE,
    storeOf: (installationId) => storeOf('installation', installationId),
  });
  closers.push(() => imports.close());
  return {
    deliveryQueue: loggingFailures(log).deliveries(deliveries),
    importQueue: loggingFailures(log).imports(imports),
  };
};

interface PortsOpening extends Opening, Pick<Ports, 'clock' | 'ids'> {
  readonly storage: Storage;
  readonly live: LiveChannel;
  readonly membership: Membership;
  /** No key opens a secret that work needs. */
  readonly onUnopened: (kid: string) => void;
}

interface OpenPorts {
  /** For the app API: a statement is cancelled after DATABASE_STATEMENT_TIMEOUT_MS. */
  readonly app: Ports;
  /** For the admin API and the background work, on the same connections. Neither their transactions nor their reads have that timeout. */
  readonly unlimited: Ports;
  readonly maintenance: readonly MaintenanceTask[];
  readonly nameFigures: () => NameFigures;
}

/** Longest time in which an app of an imported store is refused by a process that ran before. */
const LEARN_SECONDS = 2;

/** The use case tries again, and answers without it in the end: only the log says that the record is missing. */
const loggingEnds = (log: Logger, imports: ProductImportLog): ProductImportLog => ({
  ...imports,
  end: (key, outcome) =>
    imports.end(key, outcome).catch((error: unknown) => {
      log.warn({ err: error, importId: key.id }, 'The end of an import could not be recorded.');
      throw error;
    }),
});

/**
 * The adapter for each port of a running node. Rejects when the database of the queue cannot be
 * reached, and with a StartFailure when the media storage cannot be opened.
 */
export const openPorts = async (
  config: Config,
  { storage, live, membership, clock, ids, onUnopened, ...opening }: PortsOpening,
): Promise<OpenPorts> => {
  const { closers } = opening;
  const addresses = createAddressResolver({ servers: config.NAME_SERVERS });
  closers.push(() => addresses.close());
  const outbound = { addresses, proxy: config.WEBHOOK_PROXY };
  const mediaSource = createMediaSource({
    ...outbound,
    allowed: config.MEDIA_ALLOWED_CIDRS,
    directory: join(config.DATA_DIR, 'incoming'),
    timeoutSeconds: config.MEDIA_TIMEOUT_SECONDS,
  });
  closers.push(() => mediaSource.close());
  const mayCreate = !(await namesMedia(storage.unlimited.mediaFiles));
  const mediaStorage = await openMediaStorage(config.MEDIA_STORAGE, config.AWS_REGION, { mayCreate });
  closers.push(() => mediaStorage.close());

  const queues = await openQueues(config, { ...opening, onUnopened }, storage.unlimited.locator);
  const webhookSender = createWebhookSender({
    ...outbound,
    allowed: config.WEBHOOK_ALLOWED_CIDRS,
    clock,
    timeoutSeconds: config.WEBHOOK_TIMEOUT_SECONDS,
  });
  closers.push(() => webhookSender.close());
  const { secrets, learn } = await openSecrets(config.SECRET_KEYS, storage.secrets, membership.sealing);
  const shared = {
    clock,
    ids,
    secrets,
    addresses,
    patterns: createPatternMatcher(),
    turns: turnsOf(),
    mediaSource,
    mediaStorage,
    webhookSender,
    ...queues,
  };
  const onCommit = [requestWork(queues), publishCommitted({ live, clock })];
  const portsOn = (stored: StoragePorts): Ports => ({
    ...shared,
    ...stored,
    productImports: loggingEnds(opening.log, stored.productImports),
    transaction: recording(stored.transaction, onCommit),
  });
  return {
    app: portsOn(storage.app),
    unlimited: portsOn(storage.unlimited),
    nameFigures: addresses.figures,
    maintenance: [{ task: 'The reading of peppers', seconds: LEARN_SECONDS, isWorkers: false, run: learn }],
  };
};
