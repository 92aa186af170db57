import { route } from '../../route.ts';
import { attention } from '../../schemas/attention.ts';
import { storeParams } from '../../schemas/subscription.ts';

/** What needs attention. */
export const attentionRoutes = [
  route
    .get('/admin/stores/:storeId/attention')
    .admin()
    .tag('Insight')
    .summary('Get what needs attention', 'What fails, waits or was refused in the store now. Each list and count is bounded.')
    .params(storeParams)
    .returns(200, attention)
    .refuses('not_found')
    .handle((app, { params }) => app.getAttention(params.storeId)),
];
