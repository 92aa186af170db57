import { z } from 'zod';

import { INVARIANT_NAMES, INVARIANTS, REPAIRABLE } from '../../../domain/insight/invariants.ts';
import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME } from '../kit/example-record.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';

const example = {
  checkedAt: EXAMPLE_TIME,
  durationMs: 35,
  ok: true,
  invariants: INVARIANT_NAMES.map((name) => ({
    name,
    statement: INVARIANTS[name],
    isComplete: true,
    counted: 120,
    violated: 0,
    isSample: false,
    examples: [],
    checkedAt: EXAMPLE_TIME,
  })),
};

const checked = z.object({
  name: z.enum(INVARIANT_NAMES),
  statement: z.string(),
  isComplete: z.boolean().meta({ description: 'False if the check timed out. Then there are no counts.' }),
  counted: z.int().nullable().meta({ description: 'The number of rows checked, at most 10,000.' }),
  violated: z.int().nullable(),
  isSample: z.boolean().meta({ description: 'True if there may be more rows than were checked.' }),
  examples: z
    .array(z.string())
    .readonly()
    .meta({ description: 'Ids of at most five violations. For an idempotency key: the id of its app, a slash and the key.' }),
  checkedAt: z.iso.datetime(),
});

export const verification = z
  .object({
    checkedAt: z.iso.datetime(),
    durationMs: z.number(),
    ok: z.boolean().meta({ description: 'True if every check completed and found no violation.' }),
    invariants: z.array(checked).readonly(),
  })
  .meta({ id: 'Verification', examples: [example] });

const verifyQuery = z.object({
  invariant: z.enum(INVARIANT_NAMES).optional().meta({
    description: 'Checks this invariant alone, for up to 20 seconds. Ask for one whose check was not complete.',
  }),
});

const repairRequest = z
  .object({
    invariant: z.enum(REPAIRABLE),
    after: textOf({ max: 200 })
      .nullish()
      .meta({ description: 'The `next` of the previous page. By default, the repair starts with the oldest row.' }),
  })
  .meta({ id: 'RepairRequest', examples: [{ invariant: 'events_placed' }] });

export const repairedPage = z
  .object({
    invariant: z.enum(REPAIRABLE),
    counted: z.int().meta({ description: 'The number of rows checked.' }),
    repaired: z.int().meta({ description: 'The number of rows repaired.' }),
    next: z.string().nullable().meta({ description: 'Pass it as `after` to continue. Null if no rows are left.' }),
  })
  .meta({ id: 'RepairedPage', examples: [{ invariant: 'events_placed', counted: 2_000, repaired: 3, next: null }] });

export const verifyRoutes = [
  route
    .get('/admin/verify', 'checkInvariants')
    .admin('Insight', { stores: 'all' })
    .summary('Check the invariants', 'Checks the invariants of events and deliveries on the live database.')
    .query(verifyQuery)
    .returns(200, verification)
    .refuses('invalid')
    .handle(async (app, { query }) => ok(await app.verify(query.invariant ?? null))),
  route
    .post('/admin/verify/repairs', 'repairInvariants')
    .admin('Insight', { stores: 'all' })
    .summary(
      'Repair what violates an invariant',
      'Looks at up to 2,000 rows, always in the same order, and repairs those that violate the invariant. Repeat it with `next` until that is null. ' +
        '`events_placed`: events without a place in the feed get one, after the events that are there. `pending_queued`: pending deliveries that are not queued are queued.',
    )
    .body(repairRequest)
    .returns(200, repairedPage)
    .refuses('invalid')
    .handle((app, { body }) => app.repair(body.invariant, body.after ?? null)),
];
