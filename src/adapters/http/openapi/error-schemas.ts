import { z } from 'zod';

import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import { EXPIRY_REASONS } from '../../../domain/webhooks/feed-place.ts';
import { STATUS_OF } from '../serving/reply/refusals.ts';

const errorCode = z
  .enum(Object.keys(STATUS_OF))
  .meta({ id: 'ErrorCode', description: 'The codes of this version. More may be added.' });

/** Open, so that a client generated today reads the codes of tomorrow. */
const code = z.union([errorCode, z.string()]);

export const plainError = z
  .object({ error: z.string(), code })
  .meta({ id: 'Error', description: 'What went wrong: `error` for people, `code` for programs.' });

export const invalidError = z
  .object({ error: z.string() })
  .meta({ id: 'InvalidError', description: 'What is wrong with the request.' });

export const problem = z
  .object({
    type: z.string().nullable(),
    title: z.string().nullable(),
    status: z.int().nullable(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code,
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'Problem',
    description: `RFC 9457 problem details. A 400 also has \`errors\`: the first ${String(MAX_FAULTS)} errors at most, by field name.`,
    examples: [
      {
        type: '/docs/errors#invalid',
        title: 'Bad Request',
        status: 400,
        detail: 'fields.hex: must be a color (#rrggbb or #rrggbbaa)',
        instance: '/custom-data/metaobjects/color_chart/entries/linen',
        code: 'invalid',
        errors: { 'fields.hex': ['must be a color (#rrggbb or #rrggbbaa)'] },
      },
    ],
  });

const expiry = {
  oldest: z.string().meta({ description: 'The cursor from which to continue.' }),
  reason: z.enum(EXPIRY_REASONS).meta({
    description:
      'not_kept: events after the cursor are no longer kept, so you may have missed some. history_changed: the server has lost events that you read, in a failover or a restore. Reading from oldest misses nothing. key_unknown: the server no longer has the key of the cursor. Reading from oldest repeats every event that is kept.',
  }),
};

export const expiredError = plainError
  .extend(expiry)
  .meta({ id: 'ExpiredCursor', description: 'The feed does not continue from the cursor.' });

export const expiredProblem = problem.extend(expiry).meta({
  id: 'ExpiredCursorProblem',
  description: 'RFC 9457 problem details: the feed does not continue from the cursor.',
});
