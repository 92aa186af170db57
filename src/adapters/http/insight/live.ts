import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { IMPORT_STATUSES } from '../../../domain/media/media-import.ts';
import { ok, refuse } from '../../../domain/result.ts';
import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { EVENT_TYPES, LIFE_EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { Raw } from '../answer.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { HEARTBEAT_SECONDS } from '../live/live-readers.ts';
import { MAX_LIVE_READERS, MAX_OPERATOR_STREAMS, OWNER_STREAMS } from '../live/live-shares.ts';
import { route } from '../route.ts';

const at = z.iso.datetime();
const eventType = z.enum([...EVENT_TYPES, ...LIFE_EVENT_TYPES, 'ping']);

const liveEvent = z
  .object({
    kind: z.literal('event'),
    id: z.guid(),
    type: eventType,
    resourceId: z.string().nullable(),
    requestId: z.guid().nullable().meta({ description: 'The X-Request-Id of the request that caused it.' }),
    at,
  })
  .meta({ id: 'LiveEvent', description: 'A committed event.' });

const liveAttempt = z
  .object({
    kind: z.literal('attempt'),
    deliveryId: z.guid(),
    eventId: z.guid(),
    eventType,
    subscriptionId: z.guid(),
    installationId: z.guid().nullable().meta({ description: 'Null for a merchant subscription.' }),
    number: z.int().meta({ description: 'The number of the attempt, starting at 1.' }),
    status: z.int().nullable().meta({ description: 'The status of the response. Null if none was received.' }),
    error: z.enum(ATTEMPT_ERRORS).nullable(),
    outcome: z.enum(['delivered', 'retry', 'failed']),
    durationMs: z.int(),
    at: at.meta({ description: 'When the attempt started.' }),
  })
  .meta({ id: 'LiveAttempt', description: 'A delivery attempt that has ended.' });

const liveRefusal = z
  .object({
    kind: z.literal('refusal'),
    requestId: z.guid().meta({ description: 'The X-Request-Id of the response.' }),
    route: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    reason: z.string(),
    check: z.enum(CHECKS),
    installationId: z.guid().nullable().meta({ description: 'Null if the request had no valid token.' }),
    durationMs: z.number(),
    at: at.meta({ description: 'When the request was received.' }),
  })
  .meta({ id: 'LiveRefusal', description: 'A refused app request, with the fields of the request log.' });

const liveImport = z
  .object({
    kind: z.literal('import'),
    of: z.enum(['products', 'media']),
    id: z.guid().meta({ description: 'The id of a media import, or the X-Request-Id of a product import.' }),
    installationId: z.guid().nullable(),
    isDryRun: z.boolean().meta({ description: 'True while a product import is only tried.' }),
    status: z.enum(IMPORT_STATUSES).exclude(['Queued']),
    read: z.int().meta({ description: 'Products or media import items processed so far.' }),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    nextLine: z.int().nullable().meta({
      description: 'The line of the file before which everything is done. Null at the end of the file, and for a media import.',
    }),
    at,
  })
  .meta({
    id: 'LiveImport',
    description: 'The progress (at most twice a second) or the end of a product import, or the end of a media import.',
  });

const liveDropped = z
  .object({ kind: z.literal('dropped'), count: z.int().meta({ description: 'The number of missed items.' }) })
  .meta({
    id: 'LiveDropped',
    description: 'Items that were dropped because this reader, or the connection from another node, was too slow.',
  });

export const liveFrame = z
  .discriminatedUnion('kind', [liveEvent, liveAttempt, liveRefusal, liveImport, liveDropped])
  .meta({ id: 'LiveFrame', description: 'The JSON in the `data` of one server-sent event.' });

const LIVE_EXAMPLE = {
  kind: 'event',
  id: exampleId(60),
  type: 'order.paid',
  resourceId: 'order-1001',
  requestId: exampleId(61),
  at: EXAMPLE_TIME,
} as const satisfies z.output<typeof liveEvent>;

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
