import type { FeedEvent } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { watchLive } from '../../admin/live.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, textFlag, LIMIT_FLAG, timeFlag, WIDE_FLAG } from '../../flags.ts';
import { timeOfDay } from '../../output/time.ts';

export const TYPES_FLAG = {
  kind: 'parsed',
  parse: String,
  variadic: ',',
  optional: true,
  placeholder: 'types',
  brief: 'Only these types, such as product.*',
} as const;

const EVENT_FILTER_FLAGS = {
  store: STORE_FLAG,
  types: TYPES_FLAG,
  resource: textFlag('Only events about this resource', 'id'),
} as const;

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

const matches = (types: readonly string[] | undefined, type: string): boolean =>
  types === undefined ||
  types.some((wanted) => wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))));

export const tailEvents = adminCommand({
  docs: {
    brief: 'Watch events as they happen',
    about: 'Starts now and runs until Ctrl-C. Events may be skipped under load; use tenon listen to get every event.',
    examples: ['tenon events tail --types product.*'],
  },
  flags: EVENT_FILTER_FLAGS,
  run: async ({ api, print, context }, { store, types, resource }) => {
    const { id } = await findStore(api, store);
    for await (const frame of watchLive(api, id, { signal: context.interrupted(), say: print.say })) {
      if (frame.kind !== 'event' || !matches(types, frame.type)) continue;
      if (resource !== undefined && frame.resourceId !== resource) continue;
      print.line(frame, [timeOfDay(frame.at), frame.type, frame.resourceId, frame.id]);
    }
  },
});
