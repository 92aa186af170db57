import { route } from '../route.ts';
import { attention } from './attention.ts';

export const attentionRoutes = [
  route
    .get('/admin/stores/:storeId/attention', 'getAttention')
    .admin('Insight')
    .summary(
      'Get what needs attention',
      'Returns failing subscriptions, waiting deliveries, failed imports and refused requests. Every list and count is limited.',
    )
    .returns(200, attention)
    .refuses('not_found')
    .handle((app, { params }) => app.getAttention(params.storeId)),
];
