import { recentRange, type FigureRange, type WantedRange } from '../../domain/insight/figures.ts';
import { percentilesOf, timesOfAll, type Times } from '../../domain/insight/percentile.ts';
import type { FigureStep } from '../../domain/ports/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { QueuedOfOne } from '../../domain/ports/webhooks/backlog.ts';
import type { AnswerSample } from '../../domain/ports/webhooks/delivery-log.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscriptionKey } from '../../domain/webhooks/subscription.ts';

/** The newest deliveries of the range whose attempts are counted by status and error. */
const MAX_SAMPLED = 1_000;
const MAX_COUNTED = 100_000;

export interface ReceiverFigures extends FigureRange, Times {
  /** The times are of the attempts. */
  readonly steps: readonly (Pick<FigureStep, 'at' | 'deliveries' | 'attempts'> & Times)[];
  readonly answers: AnswerSample & { readonly isComplete: boolean };
  readonly waiting: QueuedOfOne;
}

/** Returns the attempts at one receiver over time, and its waiting deliveries. */
export const getReceiverFigures =
  ({
    backlog,
    clock,
    deliveryLog,
    figures,
    subscriptions,
  }: Pick<Ports, 'backlog' | 'clock' | 'deliveryLog' | 'figures' | 'subscriptions'>) =>
  async (subscription: SubscriptionKey, wanted: WantedRange): Promise<Result<ReceiverFigures, 'invalid' | 'not_found'>> => {
    const range = recentRange(wanted, clock.now());
    if (!range.ok) return range;
    const found = await subscriptions.find(subscription.storeId, subscription.subscriptionId);
    if (found === null) return notFound('Subscription');
    const { from, to } = range.value;
    const [steps, answers, waiting] = await Promise.all([
      figures.readOf(subscription, range.value),
      deliveryLog.answers(subscription, { since: from, until: to, limit: MAX_SAMPLED }),
      backlog.readOne(subscription, MAX_COUNTED),
    ]);
    return ok({
      ...range.value,
      steps: steps.map(({ at, deliveries, attempts, latency }) => ({ at, deliveries, attempts, ...percentilesOf(latency) })),
      ...timesOfAll(steps),
      answers: { ...answers, isComplete: answers.deliveries < MAX_SAMPLED },
      waiting,
    });
  };
