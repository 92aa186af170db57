import request from 'supertest';
import { expect, it } from 'vitest';

import { route } from '../../src/adapters/http/route.ts';
import { StorageUnavailable } from '../../src/domain/ports/media/media-storage.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../../src/domain/ports/transaction.ts';
import { memoryHttpApp } from '../support/http-app.ts';

/** An app with one route, which throws this error. */
const throwing = (error: Error) =>
  memoryHttpApp({
    routes: [
      route
        .get('/things', 'listThings')
        .public()
        .returnsNothing()
        .handle(() => Promise.reject(error)),
    ],
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
