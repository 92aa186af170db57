import type { FeedEvent } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, timeFlag, WIDE_FLAG } from '../../flags.ts';
import { EVENT_FILTER_FLAGS } from './filter.ts';

export const listEvents = adminCommand({
  docs: {
    brief: 'List the events of a store, newest first',
    examples: ['tenon events list --types product.updated --since 1h', 'tenon events list --json | jq .data'],
  },
  flags: { ...EVENT_FILTER_FLAGS, since: timeFlag('Since'), until: timeFlag('Before'), limit: LIMIT_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { store, types, resource, since, until, limit }) => {
    const { id } = await findStore(api, store);
    const query = { order: 'newest', types, resourceId: resource, since, until };
    print.list(await firstItems<FeedEvent>(api, `/stores/${id}/events`, query, limit), [
      { name: 'id', of: (event) => event.id, kind: 'id' },
      { name: 'at', of: ({ timestamp }) => timestamp, kind: 'time' },
      { name: 'type', of: ({ type }) => type },
      { name: 'data', of: ({ data }) => JSON.stringify(data), drop: 1 },
    ]);
  },
});
