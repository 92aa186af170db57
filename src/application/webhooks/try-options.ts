import type { Ports } from '../../domain/ports/index.ts';
import type { Turn } from '../../domain/ports/turns.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscribableType } from '../../domain/webhooks/event.ts';
import { countGathered } from '../../domain/webhooks/gathering.ts';
import { conditionsOf, stoppedBy, valuesOf, type DecidedBy } from '../../domain/webhooks/subscription-filter.ts';
import type { SubscriptionOptions } from '../../domain/webhooks/subscription-options.ts';
import type { SubscriptionInput } from '../../domain/webhooks/subscription.ts';
import { judgeSubscription, type Subscriber, type SubscriptionSettings } from './create-subscription.ts';

const MAX_JUDGED = 1_000;
/** The age of the events that a dry run judges. */
const JUDGED_DAYS = 7;
/** The work of a dry run, in the steps of MAX_FILTER_STEPS. Events that are left then are not judged, and not counted. */
const MAX_TRIED_STEPS = 5_000_000;

export interface DryRun {
  readonly events: number;
  readonly sent: number;
  /** Events that would have been gathered into another delivery. */
  readonly gathered: number;
  /** The conditions that stopped the others. */
  readonly stopped: readonly (DecidedBy & { readonly events: number })[];
}

type TimedEvent = Parameters<typeof countGathered>[0][number];

/** The fields that gathering uses. */
const timed = (body: string): TimedEvent => {
  const { type, timestamp, data } = JSON.parse(body) as { type: SubscribableType; timestamp: string; data: { id?: unknown } };
  return { type, resourceId: String(data.id), at: Date.parse(timestamp) };
};

interface Judged {
  /** The number of the condition that stopped the event; null where it passed. */
  readonly stoppedBy: number | null;
  /** Set where the event passed and may be gathered. */
  readonly event: TimedEvent | null;
}

/** Judges the bodies in their order, until the work of a dry run is done. */
const judgeAll = async (
  bodies: readonly string[],
  { filter, gather }: Pick<SubscriptionOptions, 'filter' | 'gather'>,
  self: string | null,
  turn: Turn,
): Promise<readonly Judged[]> => {
  const judged: Judged[] = [];
  let steps = 0;
  for (const body of bodies) {
    if (steps >= MAX_TRIED_STEPS) break;
    const values = filter && valuesOf(body);
    const number = (filter && values && stoppedBy(filter, values, self))?.number ?? null;
    judged.push({ stoppedBy: number, event: gather && number === null ? timed(body) : null });
    steps += values?.steps ?? 0;
    await turn();
  }
  return judged;
};

/** Does the work where the owner has a place for it, and refuses otherwise. */
export type InPlace = <T, C extends string>(work: () => Promise<Result<T, C>>) => Promise<Result<T, C | 'rate_limited'>>;

/**
 * Tries the options on the newest events that the owner may see, and creates nothing. The turn is
 * taken after the receiver's name is resolved: slow names hold no turn.
 */
export const tryOptions =
  ({ addresses, eventFeed, turns }: Pick<Ports, 'addresses' | 'eventFeed' | 'turns'>, settings: SubscriptionSettings) =>
  async (
    subscriber: Subscriber,
    { replaces: _, ...input }: SubscriptionInput,
    inPlace: InPlace,
  ): Promise<Result<DryRun, 'invalid' | 'not_found' | 'rate_limited'>> => {
    const { storeId, installationId } = subscriber;
    const content = await judgeSubscription(addresses, input, subscriber, settings);
    if (!content.ok) return content;
    return inPlace(async () => {
      const { filter, gather, order, eventTypes: types } = content.value;
      const bodies = await eventFeed.latest({ storeId, installationId, types }, MAX_JUDGED, JUDGED_DAYS);
      if (bodies === null) return notFound('Store');
      const judged = await judgeAll(bodies, { filter, gather }, installationId, turns.begin());
      const countOf = (number: number | null): number => judged.filter(({ stoppedBy: by }) => by === number).length;
      const stopped = (filter ? conditionsOf(filter) : []).map((condition, at) => ({
        number: at + 1,
        condition,
        events: countOf(at + 1),
      }));
      const passed = judged.flatMap(({ event }) => event ?? []).reverse();
      const gathered = gather ? countGathered(passed, gather, order !== null) : 0;
      return ok({
        events: judged.length,
        sent: countOf(null) - gathered,
        gathered,
        stopped: stopped.filter(({ events }) => events > 0),
      });
    });
  };
