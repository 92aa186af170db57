import type { Scope } from '../../domain/identity/scope.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscribableType } from '../../domain/webhooks/event.ts';
import { countGathered } from '../../domain/webhooks/gathering.ts';
import { conditionsOf, stoppedBy, valuesOf, type DecidedBy } from '../../domain/webhooks/subscription-filter.ts';
import type { SubscriptionInput, SubscriptionOwner } from '../../domain/webhooks/subscription.ts';
import { judge, type SubscriptionSettings } from './create-subscription.ts';

const MAX_JUDGED = 1_000;

export interface DryRun {
  /** The events of the types among the newest of the store. */
  readonly events: number;
  readonly sent: number;
  /** Those that would have been in the delivery of another. */
  readonly gathered: number;
  /** The conditions that stopped the others. */
  readonly stopped: readonly (DecidedBy & { readonly events: number })[];
}

/** As far as gathering looks at it. */
const timed = (body: string) => {
  const { type, timestamp, data } = JSON.parse(body) as { type: SubscribableType; timestamp: string; data: { id?: unknown } };
  return { type, resourceId: String(data.id), at: Date.parse(timestamp) };
};

/** What a subscription of the owner with this content would have been sent of the newest events of the store. Creates nothing. */
export const tryOptions =
  ({ addresses, eventFeed }: Pick<Ports, 'addresses' | 'eventFeed'>, settings: SubscriptionSettings) =>
  async (
    { storeId, installationId, scopes }: SubscriptionOwner & { readonly scopes: readonly Scope[] | null },
    { replaces: _, ...input }: SubscriptionInput,
  ): Promise<Result<DryRun, 'invalid' | 'not_found'>> => {
    const content = await judge(addresses, input, scopes, settings);
    if (!content.ok) return content;
    const { filter, gather, order, eventTypes: types } = content.value;
    const bodies = await eventFeed.latest({ storeId, installationId, types }, MAX_JUDGED);
    if (bodies === null) return notFound('Store');
    const numbers = bodies.map((body) => (filter && stoppedBy(filter, valuesOf(body), installationId))?.number ?? null);
    const countOf = (number: number | null): number => numbers.filter((one) => one === number).length;
    const stopped = (filter ? conditionsOf(filter) : []).map((condition, at) => ({
      number: at + 1,
      condition,
      events: countOf(at + 1),
    }));
    const passed = bodies.filter((_, at) => numbers[at] === null).reverse();
    const gathered = gather ? countGathered(passed.map(timed), gather, order !== null) : 0;
    return ok({
      events: bodies.length,
      sent: passed.length - gathered,
      gathered,
      stopped: stopped.filter(({ events }) => events > 0),
    });
  };
