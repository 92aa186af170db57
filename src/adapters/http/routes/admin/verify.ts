import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { verification } from '../../schemas/verify.ts';

export const verifyRoutes = [
  route
    .get('/admin/verify')
    .admin('Insight')
    .summary('Check the invariants', 'Checks the invariants of events and deliveries on the live database.')
    .returns(200, verification)
    .handle(async (app) => ok(await app.verify())),
];
