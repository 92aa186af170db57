import { z } from 'zod';

import { parseKey } from '../../../domain/idempotency/idempotency.ts';
import { uuid } from '../route.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';

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
        'abandoned: the request that ran failed with 5xx or its server ended, so a retry runs. expired: the same key starts a new request.',
    }),
    firstAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    status: z.int().nullable().meta({ description: 'Of the response that is remembered.' }),
    bytes: z.int().nullable().meta({ description: 'Of its body. Null when it was too large to keep.' }),
    replayable: z.boolean(),
    replays: z.int(),
    conflicts: z.int().meta({ description: 'Requests that were answered 409 because the first one was still running.' }),
    mismatches: z.int().meta({ description: 'Requests that were answered 422 because they differed from the first one.' }),
    eventIds: z.array(z.uuid()).readonly().meta({ description: 'The events that the request wrote together with its response.' }),
  })
  .meta({ id: 'KeyLife', examples: [example] });

export const keyLifeParams = z.object({
  installationId: uuid,
  key: z
    .string()
    .refine((key) => parseKey(key) === key, 'must be an idempotency key')
    .meta({ description: 'The key, percent-encoded.' }),
});
