import type { Application } from '../../application/index.ts';
import type { RecordedAttempt } from '../../application/webhooks/delivery-settings.ts';
import type { ImportCounts } from '../../domain/catalogue/product-import.ts';
import type { RefusedRequest } from '../../domain/insight/refused-request.ts';
import { hasEnded } from '../../domain/media/media-import.ts';
import type { MediaImport } from '../../domain/media/media-import.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { LiveChannel, LiveImport, LiveItem } from '../../domain/ports/live-channel.ts';
import type { Transaction } from '../../domain/ports/transaction.ts';
import { isoTime } from '../../domain/time.ts';
import type { NewEvent } from '../../domain/webhooks/event.ts';

export interface LiveSource {
  readonly live: Pick<LiveChannel, 'isWatched' | 'isIdle' | 'publish'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** How often at most an import of products reports its progress. */
const PROGRESS_MS = 500;

const countOf = ({ items }: MediaImport, status: 'Ready' | 'Failed'): number =>
  items.filter((item) => item.status === status).length;

const mediaItem = (ended: MediaImport, at: string): LiveImport | null => {
  const { id, installationId, status, items } = ended;
  if (!hasEnded(ended) || status === 'Queued') return null;
  const counts = { read: items.length, created: countOf(ended, 'Ready'), updated: 0, failed: countOf(ended, 'Failed') };
  return { kind: 'import', of: 'media', id, installationId, status, ...counts, at };
};

/** The ports over which the events and the ends of imports of watched stores are noted. */
const noting = (ports: TransactionPorts, { live, clock }: LiveSource, note: (storeId: string, item: LiveItem) => void) => {
  const noteEvents = (events: readonly NewEvent[], ids: readonly string[], requestId: string | null): void => {
    const at = isoTime(clock.now());
    for (const [index, { storeId, type, resourceId }] of events.entries()) {
      if (live.isWatched(storeId)) note(storeId, { kind: 'event', id: ids[index] ?? '', type, resourceId, requestId, at });
    }
  };
  const noteEnded = (after: MediaImport): void => {
    const item = mediaItem(after, isoTime(clock.now()));
    if (item) note(after.storeId, item);
  };
  return {
    ...ports,
    events: {
      append: async (events, requestId = null) => {
        const ids = await ports.events.append(events, requestId);
        noteEvents(events, ids, requestId);
        return ids;
      },
    },
    mediaImports: {
      ...ports.mediaImports,
      settle: async (after, index) => {
        await ports.mediaImports.settle(after, index);
        noteEnded(after);
      },
      endAll: async (installationId) => {
        const ended = await ports.mediaImports.endAll(installationId);
        ended.forEach(noteEnded);
        return ended;
      },
    },
  } satisfies TransactionPorts;
};

/** Publishes the events and the ends of media imports of a transaction, after its commit. */
export const publishAfterCommit = (transaction: Transaction, source: LiveSource): Transaction => ({
  run: async (work) => {
    if (source.live.isIdle()) return transaction.run(work);
    const noted = new Map<string, LiveItem[]>();
    const note = (storeId: string, item: LiveItem): void => {
      const items = noted.get(storeId);
      if (items) items.push(item);
      else noted.set(storeId, [item]);
    };
    const value = await transaction.run((ports) => work(noting(ports, source, note)));
    for (const [storeId, items] of noted) source.live.publish(storeId, items);
    return value;
  },
});

/** Publishes a refusal to the store of its token, or of its host where no token named one. */
export const publishRefusal = ({ live }: Pick<LiveSource, 'live'>, refusal: RefusedRequest): void => {
  const subject = refusal.storeId ?? refusal.host;
  if (!live.isWatched(subject)) return;
  const { id: requestId, at, route, status, code, reason, check, installationId, durationMs } = refusal;
  const refused = { route, status, code, reason, check, installationId, durationMs };
  live.publish(subject, [{ kind: 'refusal', requestId, ...refused, at: isoTime(at) }]);
};

const typeOf = (body: string): string => (JSON.parse(body) as { readonly type: string }).type;

/** Publishes an attempt of a watched store that was recorded. */
export const publishAttempt = ({ live }: Pick<LiveSource, 'live'>, { target, delivery, attempt }: RecordedAttempt): void => {
  if (!live.isWatched(target.storeId)) return;
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
  live.publish(target.storeId, [{ kind: 'attempt', ...of, ...outcome }]);
};

/** The application whose imports of products publish their progress under this id. */
export const publishingImports = (application: Application, { live, clock }: LiveSource, id: string): Application => ({
  ...application,
  importProducts: async (storeId, items, onProgress) => {
    let last: ImportCounts = { read: 0, created: 0, updated: 0, failed: 0 };
    let nextAt = 0;
    const publish = (status: LiveImport['status'], { read, created, updated, failed }: ImportCounts): void => {
      if (!live.isWatched(storeId)) return;
      const at = isoTime(clock.now());
      const item = { kind: 'import', of: 'products', id, installationId: null, status } as const;
      live.publish(storeId, [{ ...item, read, created, updated, failed, at }]);
    };
    try {
      const report = await application.importProducts(storeId, items, (counts) => {
        onProgress?.(counts);
        last = counts;
        if (clock.now() < nextAt) return;
        nextAt = clock.now() + PROGRESS_MS;
        publish('Running', counts);
      });
      publish(report.failed > 0 ? 'CompletedWithErrors' : 'Completed', report);
      return report;
    } catch (error) {
      publish('Failed', last);
      throw error;
    }
  },
});
