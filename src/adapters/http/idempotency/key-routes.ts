import { route } from '../route.ts';
import { keyLife, keyLifeParams, ownKeyParams } from './key-life.ts';

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
