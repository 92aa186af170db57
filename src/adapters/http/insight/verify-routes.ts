import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { repairedPage, repairRequest, verification, verifyQuery } from './verify.ts';

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
