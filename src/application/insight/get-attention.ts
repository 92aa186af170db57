import type { ImportSummary } from '../../domain/media/import-summary.ts';
import type { FigureStep } from '../../domain/ports/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { WatchedSubscription } from '../../domain/ports/webhooks/subscription-repository.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import type { BacklogState, BoundedCount } from '../../domain/webhooks/backlog.ts';

const MAX_ENTRIES = 20;
/** Failing subscriptions that are counted, so that those with the most deliveries are among the entries. */
const MAX_RANKED = 100;
const MAX_COUNTED = 100_000;
const IMPORT_DAYS = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Truncated<T> {
  readonly items: readonly T[];
  /** False when there are more. */
  readonly isComplete: boolean;
}

export interface FailingSubscription extends WatchedSubscription {
  readonly waiting: BoundedCount;
}

export interface Attention extends BacklogState {
  readonly checkedAt: string;
  /** Sorted by the number of waiting deliveries, highest first. */
  readonly failingSubscriptions: Truncated<FailingSubscription>;
  readonly deactivatedSubscriptions: Truncated<WatchedSubscription>;
  readonly mediaImports: Truncated<ImportSummary>;
  readonly refusals: FigureStep['refusals'];
  /** Deliveries that failed since then and are still Failed. A redelivered one does not count. */
  readonly failedDeliveries: BoundedCount & { readonly since: string };
}

const NONE: BoundedCount = { count: 0, isComplete: true };

const truncated = <T>(found: readonly T[]): Truncated<T> => ({
  items: found.slice(0, MAX_ENTRIES),
  isComplete: found.length <= MAX_ENTRIES,
});

export const getAttention =
  ({
    subscriptions,
    backlog,
    mediaImportLog,
    deliveryLog,
    figures,
    clock,
  }: Pick<Ports, 'subscriptions' | 'backlog' | 'mediaImportLog' | 'deliveryLog' | 'figures' | 'clock'>) =>
  async (storeId: string): Promise<Result<Attention, 'not_found'>> => {
    const now = clock.now();
    const [troubled, waiting, imports, failed, refusals] = await Promise.all([
      subscriptions.troubled(storeId, MAX_RANKED),
      backlog.read(storeId, MAX_COUNTED),
      mediaImportLog.failed(storeId, IMPORT_DAYS, MAX_ENTRIES + 1),
      deliveryLog.failedSince(storeId, now - DAY_MS, MAX_COUNTED),
      figures.recentRefusals(storeId, now - HOUR_MS),
    ]);
    if (!troubled || !waiting) return notFound('Store');
    const ids = troubled.failing.map(({ id }) => id);
    const counts = ids.length === 0 ? null : await backlog.readOf(storeId, ids, MAX_COUNTED);
    const ranked = troubled.failing
      .map((one) => ({ ...one, waiting: counts?.get(one.id) ?? NONE }))
      .sort((one, other) => other.waiting.count - one.waiting.count);
    return ok({
      checkedAt: isoTime(now),
      failingSubscriptions: truncated(ranked),
      deactivatedSubscriptions: truncated(troubled.deactivated),
      ...waiting,
      mediaImports: truncated(imports),
      refusals,
      failedDeliveries: { ...failed, since: isoTime(now - DAY_MS) },
    });
  };
