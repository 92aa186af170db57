import type { Express } from 'express';

import { NO_CALLER } from '../../src/adapters/http/serving/admit/admit.ts';
import { createHttpApp, type HttpAppOptions } from '../../src/adapters/http/serving/app.ts';
import type { Backend } from '../../src/adapters/http/serving/context.ts';
import { SandboxBudget } from '../../src/adapters/http/serving/sandbox-budget.ts';
import { InFlight } from '../../src/adapters/http/serving/listener/in-flight.ts';
import { createMediaStorage } from '../memory/media/media-storage.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { timeOrderedIds } from '../../src/adapters/node/ids.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { OWNER } from '../../src/domain/identity/operator.ts';
import { EVENT_FIELDS } from '../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication, type Application } from '../../src/application/index.ts';
import { openMemoryPorts } from './memory-ports.ts';
import { DELIVERY } from './delivery-settings.ts';
import { NO_SANDBOXES } from './sandbox-settings.ts';

export const memoryApplication = (): Application =>
  createApplication(openMemoryPorts(), {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    ...NO_SANDBOXES,
    adminToken: 'the-admin-token-of-the-tests',
    appConsoleUrl: null,
    consentUrl: 'https://console.test/console/install',
    webhookAllowedCidrs: [],
    eventFields: EVENT_FIELDS,
    delivery: DELIVERY,
  });

export const RESOURCES = {
  readiness: async () => ({}),
  metrics: { contentType: 'text/plain', text: async () => '' },
  mediaStorage: createMediaStorage(),
  live: { open: () => 'node' as const, endSession: () => undefined, judge: () => Promise.resolve() },
  workShare: { take: () => Promise.resolve(true) },
  ownApi: null,
  stopping: new AbortController().signal,
};

/** Serves requests on memory, and admits everyone. */
export const memoryBackend = (application = memoryApplication()): Backend => ({
  application,
  log: createLogger('silent'),
  admit: async () => ({ ...NO_CALLER, actor: OWNER }),
  limiter: { consume: async () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1, windowSeconds: 1 }) },
  resources: RESOURCES,
  budget: new SandboxBudget(),
  maxBodyBytes: { bulk: 1_000, other: 1_000 },
  maxBulkProducts: 250,
});

/** An app on memory that admits everyone, with what the test gives in place of the rest. */
export const memoryHttpApp = (options: Partial<HttpAppOptions> & Pick<HttpAppOptions, 'routes'>): Express =>
  createHttpApp({
    ...memoryBackend(options.application),
    ids: timeOrderedIds(systemClock),
    inFlight: new InFlight(),
    onRequest: () => undefined,
    openApi: () => '{}',
    errors: 'plain',
    ...options,
  });
