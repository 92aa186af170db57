import type { Unsent } from '../../domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../domain/webhooks/shown-delivery.ts';
import type { Traceparent } from '../../domain/trace.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { MAX_TAKE } from '../../domain/page.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { Turn } from '../../domain/ports/turns.ts';
import { EventValues } from '../../domain/webhooks/event-values.ts';
import { stoppedBy, type DecidedBy } from '../../domain/webhooks/subscription-filter.ts';

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly storeId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventDetail extends EventBody {
  readonly resourceId: string | null;
  /** The installation that caused it. Null is the merchant. */
  readonly installationId: string | null;
  readonly requestId: string | null;
  /** Trace of the request that caused the event. Absent without a trace. */
  readonly traceparent?: Traceparent;
  /** The newest 250. */
  readonly deliveries: readonly Delivery[];
  /** The deliveries of later events of its resource that have gathered it, the newest 250. */
  readonly gatheredInto: readonly Delivery[];
  /** The subscriptions whose filters stopped it, the oldest 250, by the filters that they have now. */
  readonly notSent: readonly (Omit<Unsent, 'filter'> & DecidedBy)[];
}

const notSent = async (unsent: readonly Unsent[], { data }: EventBody, turn: Turn): Promise<EventDetail['notSent']> => {
  const values = new EventValues(data);
  const stopped: (Omit<Unsent, 'filter'> & DecidedBy)[] = [];
  for (const { filter, ...subscription } of unsent) {
    const decided = stoppedBy(filter, values, subscription.installationId);
    if (decided !== null) stopped.push({ ...subscription, ...decided });
    await turn();
  }
  return stopped;
};

export const getEvent =
  ({ eventFeed, deliveryLog, turns }: Pick<Ports, 'eventFeed' | 'deliveryLog' | 'turns'>) =>
  async (storeId: string, eventId: string): Promise<Result<EventDetail, 'not_found'>> => {
    const event = await eventFeed.get({ storeId, installationId: null, types: null }, eventId);
    if (!event) return notFound('Event');
    const deliveries = await deliveryLog.list(storeId, { eventId }, { after: null, take: MAX_TAKE });
    const unsent = await deliveryLog.unsent(storeId, eventId, MAX_TAKE);
    const gatheredInto = await deliveryLog.gatheredInto(storeId, eventId, MAX_TAKE);
    const { resourceId, origin, requestId } = event;
    const turn = turns.begin();
    const body = JSON.parse(event.body) as EventBody;
    return ok({
      ...body,
      resourceId,
      installationId: origin,
      requestId,
      deliveries: deliveries?.items ?? [],
      gatheredInto,
      notSent: await notSent(unsent, body, turn),
    });
  };
