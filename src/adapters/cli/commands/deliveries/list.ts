import type { Delivery } from '../../../http/schemas/answers.ts';
import { firstOf } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG } from '../../flags.ts';
import { shortTime } from '../../output/time.ts';
import { DELIVERY_FILTER_FLAGS, deliveryFilter } from './filter.ts';

export const listDeliveries = adminCommand({
  docs: {
    brief: 'List deliveries, newest first',
    examples: [
      'tenon deliveries list --status Failed,Held --since 1h',
      'tenon deliveries list --app "Stock sync" --json | jq -r .id',
    ],
  },
  flags: { ...DELIVERY_FILTER_FLAGS, limit: LIMIT_FLAG },
  run: async ({ api, print }, { limit, ...flags }) => {
    const { storeId, filter } = await deliveryFilter(api, flags);
    print.list(await firstOf<Delivery>(api, `/stores/${storeId}/deliveries`, filter, limit), [
      { name: 'id', of: ({ id }) => id },
      { name: 'created', of: ({ createdAt }) => shortTime(createdAt) },
      { name: 'type', of: ({ eventType }) => eventType },
      { name: 'status', of: ({ status }) => status },
      { name: 'attempts', of: ({ attempts }) => attempts, align: 'right' },
      { name: 'error', of: ({ error }) => error },
      { name: 'next attempt', of: ({ nextAttemptAt }) => shortTime(nextAttemptAt) },
    ]);
  },
});
