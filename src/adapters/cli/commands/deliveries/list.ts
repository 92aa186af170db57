import type { Delivery } from '../../../http/answers.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, WIDE_FLAG } from '../../flags.ts';
import { WHY_WAITING } from '../../../../domain/webhooks/why-waiting.ts';
import { errorText, ownerText, receiverText } from './receiver-text.ts';
import { DELIVERY_FILTER_FLAGS, deliveryFilter } from './filter.ts';

export const listDeliveries = adminCommand({
  docs: {
    brief: 'List deliveries, newest first',
    examples: [
      'tenon deliveries list --status Failed,Retrying --since 1h',
      'tenon deliveries list --app "Stock sync" --json | jq -r .id',
    ],
  },
  flags: { ...DELIVERY_FILTER_FLAGS, limit: LIMIT_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { limit, wide: _wide, ...flags }) => {
    const { storeId, filter } = await deliveryFilter(api, flags);
    print.list(await firstItems<Delivery>(api, `/stores/${storeId}/deliveries`, filter, limit), [
      { name: 'id', of: ({ id }) => id, kind: 'id' },
      { name: 'created', of: ({ createdAt }) => createdAt, kind: 'time' },
      { name: 'type', of: ({ eventType }) => eventType, least: 15 },
      { name: 'status', of: ({ status }) => status },
      { name: 'receiver', of: receiverText, least: 28, isCutWithin: true },
      { name: 'owner', of: ownerText, drop: 1 },
      { name: 'attempts', of: ({ attempts }) => attempts, align: 'right', drop: 2 },
      { name: 'error', of: ({ error, responseStatus }) => errorText(error, responseStatus), drop: 5 },
      { name: 'waits for', of: ({ waitingBecause }) => waitingBecause && WHY_WAITING[waitingBecause].name, drop: 4 },
      { name: 'next attempt', of: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', drop: 3 },
    ]);
  },
});
