import { figureRange, LATENCY_BOUNDS_MS, type Step } from '../../domain/insight/figures.ts';
import { percentileOf, type Percentile } from '../../domain/insight/percentile.ts';
import type { FigureStep } from '../../domain/ports/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { QueuedOfOne } from '../../domain/ports/webhooks/backlog.ts';
import type { AnswerSample } from '../../domain/ports/webhooks/delivery-log.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscriptionKey } from '../../domain/webhooks/subscription.ts';

/** The newest deliveries of the range whose attempts are counted by status and error. */
const MAX_SAMPLED = 1_000;
const MAX_COUNTED = 100_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Up to which length a range has steps of a minute, and of an hour. */
const RANGES = { minute: 3 * HOUR_MS, hour: 7 * DAY_MS };

const stepFor = (lengthMs: number): Step => {
  if (lengthMs <= RANGES.minute) return 'minute';
  return lengthMs <= RANGES.hour ? 'hour' : 'day';
};

export interface ReceiverStep extends Pick<FigureStep, 'at' | 'deliveries' | 'attempts'> {
  /** Of the attempts. Null where none was made. */
  readonly p50: Percentile | null;
  readonly p95: Percentile | null;
}

export interface ReceiverFigures {
  readonly from: number;
  readonly to: number;
  readonly step: Step;
  readonly steps: readonly ReceiverStep[];
  readonly p50: Percentile | null;
  readonly p95: Percentile | null;
  readonly answers: AnswerSample & { readonly isComplete: boolean };
  readonly waiting: QueuedOfOne;
}

const times = (latency: readonly number[]) => ({
  p50: percentileOf(latency, LATENCY_BOUNDS_MS, 0.5),
  p95: percentileOf(latency, LATENCY_BOUNDS_MS, 0.95),
});

const added = (steps: readonly FigureStep[]): readonly number[] =>
  [...LATENCY_BOUNDS_MS, Infinity].map((_, place) => steps.reduce((sum, { latency }) => sum + (latency[place] ?? 0), 0));

/** What the attempts at one receiver came to over time, and what waits for it. */
export const getReceiverFigures =
  ({
    backlog,
    clock,
    deliveryLog,
    figures,
    subscriptions,
  }: Pick<Ports, 'backlog' | 'clock' | 'deliveryLog' | 'figures' | 'subscriptions'>) =>
  async (
    subscription: SubscriptionKey,
    {
      since,
      until,
      step,
    }: { readonly since?: number | undefined; readonly until?: number | undefined; readonly step?: Step | undefined },
  ): Promise<Result<ReceiverFigures, 'invalid' | 'not_found'>> => {
    const now = clock.now();
    const end = Math.min(until ?? now, now);
    const begin = since ?? end - DAY_MS;
    const range = figureRange({ from: begin, to: end, step: step ?? stepFor(end - begin) }, now);
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
      steps: steps.map(({ at, deliveries, attempts, latency }) => ({ at, deliveries, attempts, ...times(latency) })),
      ...times(added(steps)),
      answers: { ...answers, isComplete: answers.deliveries < MAX_SAMPLED },
      waiting,
    });
  };
