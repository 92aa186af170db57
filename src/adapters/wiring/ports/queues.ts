import type { Logger } from 'pino';

import type { DeliveryQueue } from '../../../domain/ports/webhooks/delivery-queue.ts';
import type { Locator } from '../../../domain/ports/locator.ts';
import type { ImportQueue } from '../../../domain/ports/media/import-queue.ts';
import { createDeliveryQueue } from '../../bullmq/delivery-queue.ts';
import { createImportQueue } from '../../bullmq/import-queue.ts';
import type { JobQueueOptions } from '../../bullmq/job-queue.ts';
import type { Opening } from './closers.ts';
import type { Config } from '../settings/config.ts';
import { reportUnopened } from '../keys/report-unopened.ts';

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
export const openQueues = async (
  config: Config,
  { databaseUrl, log, closers, onUnopened }: QueuesOpening,
  { storeOf }: Locator,
) => {
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
