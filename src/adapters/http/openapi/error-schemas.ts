import { z } from 'zod';

import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';

export const plainError = z
  .object({ error: z.string(), code: z.string() })
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
    code: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'Problem',
    description: `RFC 9457 problem details; of a 400 also \`errors\`: the first faults, at most ${String(MAX_FAULTS)}, by the name of the field each is in.`,
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'fields.hex: must be a color (#rrggbb or #rrggbbaa)',
        instance: '/custom-data/metaobjects/color_chart/entries/linen',
        code: 'invalid',
        errors: { 'fields.hex': ['must be a color (#rrggbb or #rrggbbaa)'] },
      },
    ],
  });

const oldest = z.string().meta({ description: 'The cursor before the oldest event that is kept.' });

export const expiredError = plainError
  .extend({ oldest })
  .meta({ id: 'ExpiredCursor', description: 'The events after the cursor are not kept any more.' });

export const expiredProblem = problem.extend({ oldest }).meta({
  id: 'ExpiredCursorProblem',
  description: 'RFC 9457 problem details: the events after the cursor are not kept any more.',
});
