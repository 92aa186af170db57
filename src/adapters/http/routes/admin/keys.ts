import { route } from '../../route.ts';
import { keyLife, keyLifeParams } from '../../schemas/key-life.ts';

/** Idempotency keys of apps. */
export const keyRoutes = [
  route
    .get('/admin/apps/:installationId/idempotency-keys/:key')
    .admin()
    .tag('Insight')
    .summary(
      'Get the life of an idempotency key',
      'The key is percent-encoded in the path. Its counts are about a second old. An image import writes its events later, so they are not listed here.',
    )
    .params(keyLifeParams)
    .returns(200, keyLife)
    .refuses('not_found')
    .handle((app, { params }) => app.getKeyLife(params)),
];
