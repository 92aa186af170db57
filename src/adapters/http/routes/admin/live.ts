import { ok, refuse } from '../../../../domain/result.ts';
import { Raw } from '../../answer.ts';
import { HEARTBEAT_SECONDS, MAX_LIVE_READERS } from '../../live/live-readers.ts';
import { route } from '../../route.ts';
import { LIVE_EXAMPLE, liveFrame } from '../../schemas/live.ts';
import { storeParams } from '../../schemas/subscription.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
/** A reader to which nothing could be written for four heartbeats is disconnected. */
const STALL_SECONDS = 4 * HEARTBEAT_SECONDS;

const TOO_MANY_READERS = refuse(
  'unavailable',
  `This node has ${String(MAX_LIVE_READERS)} readers of live streams, which is the maximum. Close one, or retry after the number of seconds in Retry-After.`,
);

/** What happens in a store, as it happens. */
export const liveRoutes = [
  route
    .get('/admin/stores/:storeId/live')
    .admin()
    .tag('Insight')
    .summary(
      'Watch a store live',
      'A stream of server-sent events: events of the store, attempts of its deliveries, refusals of its apps and its imports, as they happen on ' +
        'any node. The name of each is the `kind` in its data. It begins with what happens from now on: to catch up, read the deliveries. ' +
        'A slow reader misses items, and then gets `dropped` with their number. ' +
        `A comment comes every ${String(HEARTBEAT_SECONDS)} seconds. A reader that takes nothing for ${String(STALL_SECONDS)} seconds is disconnected. ` +
        `A node serves ${String(MAX_LIVE_READERS)} readers; one more is answered 503.`,
    )
    .params(storeParams)
    .returns(200, liveFrame, 'text/event-stream')
    .example({ response: LIVE_EXAMPLE })
    .refuses('not_found', 'unavailable')
    .handle(async (app, { params: { storeId }, context }) => {
      const store = await app.getStore(storeId);
      if (!store.ok) return store;
      const reader = context.resources.live.open(store.value);
      if (reader === null) return TOO_MANY_READERS;
      // Some proxies gather a response before they pass it on.
      const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
      return ok(new Raw(reader, EVENT_STREAM, { headers, stallSeconds: STALL_SECONDS }));
    }),
];
