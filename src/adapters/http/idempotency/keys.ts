import { z } from 'zod';

import { parseKey } from '../../../domain/idempotency/idempotency.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { uuidField } from '../kit/fields.ts';
import { route } from '../route.ts';

const example = {
  state: 'finished',
  firstAt: EXAMPLE_TIME,
  finishedAt: '2026-11-21T09:30:00.041Z',
  expiresAt: '2026-11-22T09:30:00.041Z',
  status: 200,
  bytes: 148,
  replayable: true,
  replays: 2,
  conflicts: 1,
  mismatches: 0,
  eventIds: [exampleId(60)],
};

export const keyLife = z
  .object({
    state: z.enum(['running', 'abandoned', 'finished', 'expired']).meta({
      description:
        'abandoned: the request failed with 5xx or its server stopped, so a retry runs again. expired: the key starts a new request.',
    }),
    firstAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    status: z.int().nullable().meta({ description: 'The status of the remembered response.' }),
    bytes: z.int().nullable().meta({ description: 'The size of the remembered body. Null if it was too large to keep.' }),
    replayable: z.boolean(),
    replays: z.int(),
    conflicts: z.int().meta({ description: 'Requests answered with 409 because the first one was still running.' }),
    mismatches: z.int().meta({ description: 'Requests answered with 422 because they differed from the first one.' }),
    eventIds: z.array(z.guid()).readonly().meta({ description: 'The events recorded in the same transaction as the response.' }),
  })
  .meta({ id: 'KeyLife', examples: [example] });

const key = z
  .string()
  .refine((text) => parseKey(text) === text, 'must be an idempotency key')
  .meta({ description: 'The percent-encoded key.' });

const keyLifeParams = z.object({ installationId: uuidField, key });

const ownKeyParams = z.object({ key });

export const keyRoutes = [
  route
    .get('/admin/apps/:installationId/idempotency-keys/:key', 'getIdempotencyKey')
    .admin('Insight')
    .summary(
      'Get the life cycle of an idempotency key',
      'Percent-encode the key in the path. The counts lag by about a second. A media import records its events later, so they are not listed here.',
    )
    .params(keyLifeParams)
    .returns(200, keyLife)
    .refuses('not_found')
    .handle((app, { params }) => app.getKeyLife(params)),
];

export const ownKeyRoutes = [
  route
    .get('/apps/idempotency-keys/:key', 'getOwnIdempotencyKey')
    .anyScope()
    .params(ownKeyParams)
    .returns(200, keyLife)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnKeyLife(caller, params.key)),
];
