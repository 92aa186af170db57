import { ok, refuse } from '../../../domain/result.ts';
import { Raw } from '../answer.ts';
import { HEARTBEAT_SECONDS } from '../live/live-readers.ts';
import { MAX_LIVE_READERS, MAX_OPERATOR_STREAMS, OWNER_STREAMS } from '../live/live-shares.ts';
import { route } from '../route.ts';
import { LIVE_EXAMPLE, liveFrame } from './live.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
/** A reader to which nothing could be written for four heartbeats is disconnected. */
const STALL_SECONDS = 4 * HEARTBEAT_SECONDS;

const tooMany = (whose: string, most: number) =>
  refuse(
    'unavailable',
    `${whose} ${String(most)} readers of live streams, which is the maximum. Close one, or retry after the number of seconds in Retry-After.`,
  );

const TOO_MANY = {
  node: tooMany('This node has', MAX_LIVE_READERS),
  operators: tooMany('The operators of this node have', MAX_LIVE_READERS - OWNER_STREAMS),
  operator: tooMany('You have', MAX_OPERATOR_STREAMS),
};

export const liveRoutes = [
  route
    .get('/admin/stores/:storeId/live', 'watchStore')
    .admin('Insight')
    .summary(
      'Watch the activity of a store',
      'Streams server-sent events: the events, delivery attempts, refused app requests and imports of the store, as they happen on any node. ' +
        'The name of each is the `kind` in its data. The stream starts now; to catch up, read the deliveries. ' +
        'A slow reader misses items, and then gets `dropped` with their number. ' +
        `A comment comes every ${String(HEARTBEAT_SECONDS)} seconds. A reader that accepts nothing for ${String(STALL_SECONDS)} seconds is disconnected. ` +
        `A node serves ${String(MAX_LIVE_READERS)} readers and answers 503 to more. An operator can have ${String(MAX_OPERATOR_STREAMS)}, and operators leave ${String(OWNER_STREAMS)} to the holder of the admin token. The streams of a console session end with it.`,
    )
    .returns(200, liveFrame, 'text/event-stream')
    .example({ response: LIVE_EXAMPLE })
    .refuses('not_found', 'unavailable')
    .handle(async (app, { actor, params: { storeId }, context }) => {
      const store = await app.getStore(storeId);
      if (!store.ok) return store;
      const reader = context.resources.live.open(store.value, { operatorId: actor.operatorId, session: context.session });
      if (typeof reader === 'string') return TOO_MANY[reader];
      // Some proxies gather a response before they pass it on.
      const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
      return ok(new Raw(reader, EVENT_STREAM, { headers, stallSeconds: STALL_SECONDS }));
    }),
];
