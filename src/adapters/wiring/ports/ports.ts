import { join } from 'node:path';

import type { Ports } from '../../../domain/ports/index.ts';
import type { LiveChannel } from '../../../domain/ports/webhooks/live-channel.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import type { Opening } from './closers.ts';
import type { Config } from '../settings/config.ts';
import { createMediaSource } from '../../outgoing/media/media-source.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { createAddressResolver } from '../../node/address-resolver.ts';
import { systemClock } from '../../node/clock.ts';
import { timeOrderedIds } from '../../node/ids.ts';
import { createPatternMatcher } from '../../node/pattern-matcher.ts';
import { openDatabase, withoutStatementTimeout, type Database } from '../../prisma/connection/database.ts';
import { createFeedSignal } from '../../prisma/webhooks/feed-signal.ts';
import { createWorkLeases } from '../../prisma/work/work-lease.ts';
import { deliveryRepository } from '../../prisma/webhooks/delivery-repository.ts';
import { createPrismaPorts, type PrismaPortsOptions } from '../../prisma/index.ts';
import type { ReadCache } from '../../prisma/reading/read-cache.ts';
import { createWebhookSender } from '../../outgoing/webhook/webhook-sender.ts';
import { openSecrets } from '../keys/open-secrets.ts';
import { publishCommitted } from './live-sources.ts';
import { openQueues } from './queues.ts';
import { recording, requestWork } from './recording.ts';

/**
 * Connections of the worker only. A request that stops deliveries keeps one of the others while the
 * worker needs one to record attempts.
 */
const WORK_CONNECTIONS = 5;
/**
 * All attempts in flight wait for their record, and one statement records many. It does not wait
 * behind the look-ups.
 */
const SETTLE_CONNECTIONS = 1;

interface PortsOpening extends Opening {
  readonly readCache: ReadCache;
  readonly database: Database;
  readonly live: LiveChannel;
}

export interface OpenPorts {
  /** For the app API: a statement is cancelled after DATABASE_STATEMENT_TIMEOUT_MS. */
  readonly app: Ports;
  /** For the admin API and the background work, on the same connections. Neither their transactions nor their reads have that timeout. */
  readonly unlimited: Ports;
}

/**
 * The adapter for each port of a running node. Rejects when the database of the queue cannot be
 * reached.
 */
export const openPorts = async (
  config: Config,
  { database, databaseUrl, readCache, live, log, closers }: PortsOpening,
): Promise<OpenPorts> => {
  const clock = systemClock;
  const ids = timeOrderedIds(clock);
  const addresses = createAddressResolver();
  const outbound = { addresses, proxy: config.WEBHOOK_PROXY };
  const mediaSource = createMediaSource({
    ...outbound,
    allowed: config.MEDIA_ALLOWED_CIDRS,
    directory: join(config.DATA_DIR, 'incoming'),
    timeoutSeconds: config.MEDIA_TIMEOUT_SECONDS,
  });
  closers.push(() => mediaSource.close());
  const mediaStorage = await openMediaStorage(config.MEDIA_STORAGE, config.AWS_REGION);
  closers.push(() => mediaStorage.close());

  const workLeases = createWorkLeases({
    url: databaseUrl,
    onError: (error) => {
      log.warn({ err: new ConnectionLost(error) }, 'The connection of the work leases was lost. The next lease opens a new one.');
    },
  });
  closers.push(() => workLeases.close());
  const feedSignal = createFeedSignal({
    url: databaseUrl,
    onError: (error) => {
      log.warn(
        { err: new ConnectionLost(error) },
        'The connection of the feed signal was lost. It is opened again when it is needed.',
      );
    },
  });
  closers.push(() => feedSignal.close());
  const queues = await openQueues(config, { databaseUrl, log, closers });
  const webhookSender = createWebhookSender({
    ...outbound,
    allowed: config.WEBHOOK_ALLOWED_CIDRS,
    clock,
    timeoutSeconds: config.WEBHOOK_TIMEOUT_SECONDS,
  });
  closers.push(() => webhookSender.close());
  const openOwn = (connections: number): Database => {
    const own = openDatabase({
      url: databaseUrl,
      name: 'tenon deliveries',
      connections,
      onIdleError: (error) => {
        log.warn({ err: new ConnectionLost(error) }, 'A database connection was lost.');
      },
    });
    closers.push(() => own.close());
    return own;
  };

  const options: PrismaPortsOptions = {
    clock,
    ids,
    idempotencyTtlSeconds: config.IDEMPOTENCY_TTL_SECONDS,
    searchTimeoutMs: config.SEARCH_TIMEOUT_MS,
    accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
    announceStop: workLeases.announceStop,
    readCache,
  };
  const shared = {
    clock,
    ids,
    secrets: await openSecrets(config.SECRET_KEYS, database),
    addresses,
    patterns: createPatternMatcher(),
    mediaSource,
    mediaStorage,
    workLeases,
    feedSignal,
    webhookSender,
    ...queues,
  };
  const deliveries = deliveryRepository(openOwn(WORK_CONNECTIONS), options, openOwn(SETTLE_CONNECTIONS));
  const onCommit = [requestWork(queues), publishCommitted({ live, clock })];
  const portsOn = (connections: Database): Ports => {
    const ports = createPrismaPorts(connections, options);
    return { ...shared, ...ports, deliveries, transaction: recording(ports.transaction, onCommit) };
  };
  return { app: portsOn(database), unlimited: portsOn(withoutStatementTimeout(database)) };
};
