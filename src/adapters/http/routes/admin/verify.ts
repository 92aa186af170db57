import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { verification } from '../../schemas/verify.ts';

/** The invariants of the live database. */
export const verifyRoutes = [
  route
    .get('/admin/verify')
    .admin()
    .tag('Insight')
    .summary('Check the invariants', 'Checks on the live database what is always true of events and deliveries.')
    .returns(200, verification)
    .handle(async (app) => ok(await app.verify())),
];
