import { join } from 'node:path';
import type { Logger } from 'pino';

import type { ProductImportLog } from '../../../domain/ports/catalogue/product-import-log.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { LiveChannel } from '../../../domain/ports/webhooks/live-channel.ts';
import type { Opening } from './closers.ts';
import type { Config } from '../settings/config.ts';
import { createMediaSource } from '../../outgoing/media/media-source.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { createAddressResolver, type NameFigures } from '../../node/names/address-resolver.ts';
import { createPatternMatcher } from '../../node/pattern-matcher.ts';
import { turnsOf } from '../../node/turns.ts';
import { createWebhookSender } from '../../outgoing/webhook/webhook-sender.ts';
import type { Storage, StoragePorts, MaintenanceTask } from '../../storage/storage.ts';
import { openSecrets } from '../keys/open-secrets.ts';
import type { Membership } from '../processes/membership.ts';
import { namesMedia } from '../names-media.ts';
import { publishCommitted } from './live-sources.ts';
import { openQueues } from './queues.ts';
import { recording, requestWork } from './recording.ts';

interface PortsOpening extends Opening, Pick<Ports, 'clock' | 'ids'> {
  readonly storage: Storage;
  readonly live: LiveChannel;
  readonly membership: Membership;
  /** No key opens a secret that work needs. */
  readonly onUnopened: (kid: string) => void;
}

export interface OpenPorts {
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
