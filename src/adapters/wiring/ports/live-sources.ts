import type { Application } from '../../../application/index.ts';
import type { RecordedAttempt } from '../../../application/webhooks/delivery/deliver-due.ts';
import { NO_COUNTS, type ImportCounts, type ImportProgress } from '../../../domain/catalogue/product-import.ts';
import type { RefusedRequest } from '../../../domain/insight/refused-request.ts';
import { hasEnded, type MediaImport } from '../../../domain/media/media-import.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import { domainSubject, type LiveChannel, type LiveImport, type LiveItem } from '../../../domain/ports/webhooks/live-channel.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';
import { isoTime } from '../../../domain/time.ts';
import type { OnCommit } from './recording.ts';

export interface LiveSource {
  readonly live: Pick<LiveChannel, 'isWatched' | 'isIdle' | 'publish'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Shortest time between two progress reports of an import of products. */
const PROGRESS_MS = 500;

const countOf = ({ items }: MediaImport, status: 'Ready' | 'Failed'): number =>
  items.filter((item) => item.status === status).length;

const mediaItem = (ended: MediaImport, at: string): LiveImport | null => {
  const { id, installationId, status, items } = ended;
  if (!hasEnded(ended) || status === 'Queued') return null;
  const counts = { ...NO_COUNTS, read: items.length, created: countOf(ended, 'Ready'), failed: countOf(ended, 'Failed') };
  return { kind: 'import', of: 'media', id, installationId, isDryRun: false, status, ...counts, nextLine: null, at };
};

/** Publishes the events and the ends of media imports of a commit. */
export const publishCommitted =
  ({ live, clock }: LiveSource): OnCommit =>
  ({ cause, appended, settled }) => {
    if (live.isIdle()) return;
    const at = isoTime(clock.now());
    const requestId = cause?.requestId ?? null;
    const items = new Map<StoreKey, LiveItem[]>();
    const note = (storeId: string, item: LiveItem): void => {
      const store = storeKey(storeId);
      const noted = items.get(store);
      if (noted) noted.push(item);
      else if (live.isWatched(store)) items.set(store, [item]);
    };
    for (const { events, ids } of appended) {
      for (const [index, { storeId, type, resourceId }] of events.entries()) {
        note(storeId, { kind: 'event', id: ids[index] ?? '', type, resourceId, requestId, at });
      }
    }
    for (const after of settled) {
      const item = mediaItem(after, at);
      if (item) note(after.storeId, item);
    }
    for (const [store, noted] of items) live.publish(store, noted);
  };

/** Publishes a refusal to the store of its token, or of its host where no token named one. */
export const publishRefusal = ({ live }: Pick<LiveSource, 'live'>, refusal: RefusedRequest): void => {
  const subject = refusal.storeId === null ? domainSubject(refusal.host) : storeKey(refusal.storeId);
  if (!live.isWatched(subject)) return;
  const { id: requestId, at, route, status, code, reason, check, installationId, durationMs } = refusal;
  const refused = { route, status, code, reason, check, installationId, durationMs };
  live.publish(subject, [{ kind: 'refusal', requestId, ...refused, at: isoTime(at) }]);
};

const typeOf = (body: string): string => (JSON.parse(body) as { readonly type: string }).type;

export const publishAttempt = ({ live }: Pick<LiveSource, 'live'>, { target, delivery, attempt }: RecordedAttempt): void => {
  const store = storeKey(target.storeId);
  if (!live.isWatched(store)) return;
  const { subscriptionId, installationId } = target;
  const { number, status, error, durationMs, verdict, startedAt } = attempt;
  const of = {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    eventType: typeOf(delivery.body),
    subscriptionId,
    installationId,
  };
  const outcome = { number, status, error, outcome: verdict.kind, durationMs: Math.round(durationMs), at: isoTime(startedAt) };
  live.publish(store, [{ kind: 'attempt', ...of, ...outcome }]);
};

/** The application whose imports of products publish their progress, each under the id of its request. */
export const publishingImports = (application: Application, { live, clock }: LiveSource): Application => ({
  ...application,
  importProducts: async (cause, storeId, items, options) => {
    const store = storeKey(storeId);
    const id = cause?.requestId ?? '';
    const isDryRun = options?.isDryRun ?? false;
    let last: ImportProgress = { ...NO_COUNTS, nextLine: 1 };
    let nextAt = 0;
    const publish = (status: LiveImport['status'], counts: ImportCounts, nextLine: number | null): void => {
      if (!live.isWatched(store)) return;
      const at = isoTime(clock.now());
      const { read, created, updated, unchanged, failed } = counts;
      const item = { kind: 'import', of: 'products', id, installationId: null, isDryRun, status } as const;
      live.publish(store, [{ ...item, read, created, updated, unchanged, failed, nextLine, at }]);
    };
    try {
      const report = await application.importProducts(cause, storeId, items, {
        ...options,
        onProgress: (counts, errors) => {
          options?.onProgress?.(counts, errors);
          last = counts;
          if (clock.now() < nextAt) return;
          nextAt = clock.now() + PROGRESS_MS;
          publish('Running', counts, counts.nextLine);
        },
      });
      publish(report.failed > 0 ? 'CompletedWithErrors' : 'Completed', report, report.nextLine);
      return report;
    } catch (error) {
      publish('Failed', last, last.nextLine);
      throw error;
    }
  },
});
