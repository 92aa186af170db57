import { route } from '../route.ts';
import { ownRedeliverRequest } from './delivery-filter.ts';
import { redeliveredMatching, redeliveryProgress } from './redelivery.ts';

/** Redelivery by filter, of the deliveries to the app alone. */
export const ownRedeliveryRoutes = [
  route
    .post('/apps/redeliveries', 'createOwnRedelivery')
    .scope('write_webhooks')
    .body(ownRedeliverRequest)
    .returns(202, redeliveredMatching)
    .refuses('invalid', 'not_found')
    .handle((app, { caller, body }) => app.redeliverOwnMatching(caller, body.filter, body.dryRun)),
  route
    .get('/apps/redeliveries/:id', 'getOwnRedelivery')
    .scope('read_webhooks')
    .returns(200, redeliveryProgress)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnRedelivery(caller, params.id)),
];
