import request from 'supertest';
import { expect, it } from 'vitest';

import { NO_CALLER } from '../../src/adapters/http/serving/admit.ts';
import { createHttpApp } from '../../src/adapters/http/serving/app.ts';
import { route } from '../../src/adapters/http/route.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { createApplication } from '../../src/application/index.ts';
import { StorageUnavailable } from '../../src/domain/ports/media-storage.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../../src/domain/ports/transaction.ts';
import { openMemoryPorts } from '../support/memory-ports.ts';

/** An app with one route, which throws this error. */
const throwing = (error: Error) =>
  createHttpApp({
    application: createApplication(openMemoryPorts(), {
      idempotencyMaxResponseBytes: 262_144,
      bulkMaxProducts: 250,
      secretOverlapSeconds: 86_400,
      webhookAllowedCidrs: [],
    }),
    log: createLogger('silent'),
    onRequest: () => undefined,
    admit: async () => Promise.resolve(NO_CALLER),
    maxBodyBytes: { bulk: 1_000, other: 1_000 },
    maxBulkProducts: 250,
    routes: [
      route
        .get('/things')
        .public()
        .returnsNothing()
        .handle(() => Promise.reject(error)),
    ],
    openApi: {},
    readiness: async () => ({}),
    errors: 'plain',
  });

it.each([
  ['the database', new DatabaseUnavailable('x')],
  ['the database, whose answer to COMMIT was lost', new OutcomeUnknown('x')],
  ['the media storage', new StorageUnavailable('x')],
])('503 with Retry-After for an outage of %s', async (_what, error) => {
  const answer = await request(throwing(error)).get('/things');
  expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
    503,
    '1',
    { error: expect.any(String) as string, code: 'unavailable' },
  ]);
});

it.each(['57P01', '08006', 'ECONNREFUSED', 'P1001'])(
  '500 for an error that no adapter reports as an outage: code %s',
  async (code) => {
    const answer = await request(throwing(Object.assign(new Error('secret'), { code }))).get('/things');
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      500,
      undefined,
      { error: expect.not.stringContaining('secret') as string, code: 'internal_error' },
    ]);
  },
);
