import { ERROR_NAMES } from '../../../src/domain/webhooks/error-names.ts';
import { INCIDENT_CAUSES } from '../../../src/domain/insight/incident-causes.ts';
import { hasFailed } from '../../../src/domain/catalogue/import-record.ts';
import {
  IMAGES_HOURS,
  IMPORTS_HOURS,
  LIMITS,
  REFUSALS_MINUTES,
  type IncidentKind,
} from '../../../src/domain/insight/incident-rules.ts';
import { NO_APP_NAME, refusalsSubject } from '../../../src/domain/insight/incident-subject.ts';
import type { Signal } from '../../../src/domain/insight/incidents.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { IncidentSignals } from '../../../src/domain/ports/insight/incident-signals.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { deactivatedBecause } from '../../../src/domain/webhooks/deliverability.ts';
import { receiverName } from '../../../src/domain/webhooks/receiver.ts';
import { productImportsOf, type ProductImportRow } from '../catalogue/product-import-log.ts';
import { installationsOf, storesOf } from '../identity/identity-tables.ts';
import { figuresOf } from '../insight/figure-tables.ts';
import { refusalsOf } from '../insight/request-log.ts';
import { importsOf } from '../media/media-import-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { deliveriesOf, holdOf, isNext, isPaused, subscriptionsOf, type DeliveryRow } from './delivery-tables.ts';

type Told = Omit<Signal, 'kind' | 'before'> & { readonly before?: number };

const COUNTED = 1_000;
const MINUTE_MS = 60_000;

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] =>
  [...new Set(items.map(keyOf))].map((key) => items.filter((item) => keyOf(item) === key));

export const incidentSignals = (state: MemoryState, clock: Clock): IncidentSignals => {
  const subscriptions = () => [...subscriptionsOf(state).values()];
  const queuedOf = (id: string): DeliveryRow[] =>
    [...deliveriesOf(state).values()].filter((row) => row.subscriptionId === id && row.nextAttemptAt !== null);
  const ageOf = (time: number): number => (clock.now() - time) / 1000;
  const appName = (id: string | null): string =>
    id === null ? NO_APP_NAME : (installationsOf(state).get(id)?.name ?? NO_APP_NAME);

  const failing = (): Told[] =>
    subscriptions().flatMap((row) => {
      const { id, storeId, isActive, failures = 0, failingSince } = row;
      if (!isActive || failingSince == null || isPaused(row)) return [];
      const queued = queuedOf(id);
      const error = queued.findLast((one) => one.error !== null)?.error ?? null;
      return [
        {
          storeId,
          subject: id,
          name: receiverName(row),
          value: failures,
          since: isoTime(failingSince),
          impact: Math.min(queued.length, COUNTED),
          cause: INCIDENT_CAUSES.receiver_failing(failures, error && ERROR_NAMES[error]),
        },
      ];
    });
  const deactivated = (): Told[] =>
    subscriptions().flatMap(({ id, storeId, isActive, failingSince, ...row }) => {
      const updatedAt = row.deactivatedAt ?? row.updatedAt;
      const isErasing = table(state, 'store_erasures').has(storeId);
      if (isActive || updatedAt === null || isErasing) return [];
      const value = ageOf(Date.parse(updatedAt));
      if (value >= LIMITS.deactivatedSeconds.continue) return [];
      const health = { failingSince: failingSince == null ? null : isoTime(failingSince), deactivatedAt: updatedAt };
      const cause = INCIDENT_CAUSES.receiver_deactivated(deactivatedBecause(health) ?? 'failed_for_120_hours');
      return [{ storeId, subject: id, name: receiverName(row), value, since: updatedAt, impact: 1, cause }];
    });
  const refused = (): Told[] => {
    const from = Math.floor((clock.now() - REFUSALS_MINUTES.counted * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
    const rows = [...refusalsOf(state).values()].filter(({ at, storeId }) => Date.parse(at) >= from && storeId !== null);
    return grouped(rows, (row) => JSON.stringify([row.storeId, row.installationId, row.check, row.reason])).flatMap((own) => {
      const [first] = own;
      const value = own.reduce((sum, { leftOut }) => sum + 1 + leftOut, 0);
      if (!first || first.storeId === null || value < LIMITS.refusals.continue) return [];
      const { storeId, installationId, check, reason } = first;
      const earlier = [...figuresOf(state).values()].filter(
        ({ at, of, ...row }) =>
          row.storeId === storeId &&
          JSON.stringify(of) === JSON.stringify([check, reason]) &&
          at >= from - REFUSALS_MINUTES.before * MINUTE_MS &&
          at < from,
      );
      const before =
        earlier.reduce((sum, { counts: [count = 0] }) => sum + count, 0) / (REFUSALS_MINUTES.before / REFUSALS_MINUTES.counted);
      const subject = refusalsSubject(installationId, check, reason);
      const cause = INCIDENT_CAUSES.refusals({ check, reason });
      const since = own.map(({ at }) => at).sort()[0] ?? first.at;
      return [{ storeId, subject, name: appName(installationId), value, before, since, impact: value, cause }];
    });
  };
  const late = (): Told[] => {
    const rows = subscriptions()
      .filter((row) => row.isActive && holdOf(state, row) === null)
      .flatMap(({ id }) => queuedOf(id))
      .filter((row) => ageOf(row.nextAttemptAt ?? Infinity) >= LIMITS.lateSeconds.continue && isNext(state, row));
    return grouped(rows, ({ storeId }) => storeId).map((own) => {
      const storeId = own[0]?.storeId ?? '';
      const dueAt = Math.min(...own.map(({ nextAttemptAt }) => nextAttemptAt ?? Infinity));
      const name = storesOf(state).get(storeId)?.domain ?? '';
      const impact = Math.min(own.length, COUNTED);
      return {
        storeId,
        subject: '',
        name,
        value: ageOf(dueAt),
        since: isoTime(dueAt),
        impact,
        cause: INCIDENT_CAUSES.deliveries_late(),
      };
    });
  };
  const importsFailed = (): Told[] => {
    const ended = [...productImportsOf(state).values()]
      .filter(({ endedAt }) => endedAt !== null && ageOf(endedAt) <= IMPORTS_HOURS * 3_600)
      .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
    const failing = ({ ended: how, failed }: ProductImportRow): boolean => how !== null && hasFailed({ ended: how, failed });
    return grouped(ended, ({ storeId }) => storeId).flatMap((own) => {
      const good = own.findIndex((row) => !failing(row));
      const failed = good === -1 ? own : own.slice(0, good);
      const [last] = failed;
      if (!last || last.ended === null) return [];
      const { storeId } = last;
      const since = isoTime(failed.at(-1)?.endedAt ?? 0);
      const name = storesOf(state).get(storeId)?.domain ?? '';
      const cause = INCIDENT_CAUSES.product_import_failed({ ...last, ended: last.ended });
      return [{ storeId, subject: '', name, since, value: failed.length, impact: failed.length, cause }];
    });
  };
  const imagesFailed = (): Told[] => {
    const rows = [...importsOf(state).values()].filter(
      ({ status, endedAt }) => ['CompletedWithErrors', 'Failed'].includes(status) && ageOf(endedAt ?? 0) <= IMAGES_HOURS * 3_600,
    );
    return grouped(rows, ({ installationId }) => installationId).flatMap((own) => {
      const items = own.flatMap(({ items: all }) => all.filter(({ status }) => status === 'Failed'));
      const [first] = own;
      if (!first || items.length === 0) return [];
      const { storeId, installationId } = first;
      const since = isoTime(Math.min(...own.map(({ endedAt }) => endedAt ?? 0)));
      const of = { storeId, subject: installationId, name: appName(installationId), since };
      return [
        {
          ...of,
          value: items.length,
          impact: items.length,
          cause: INCIDENT_CAUSES.media_imports_failed(items[0]?.error ?? null),
        },
      ];
    });
  };

  const READERS: Readonly<Partial<Record<IncidentKind, () => Told[]>>> = {
    receiver_failing: failing,
    receiver_deactivated: deactivated,
    refusals: refused,
    deliveries_late: late,
    product_import_failed: importsFailed,
    media_imports_failed: imagesFailed,
  };
  return {
    read: async (limit) =>
      Object.entries(READERS).map(([name, read]) => {
        const kind = name as IncidentKind;
        const found = read();
        return {
          kind,
          signals: found.slice(0, limit).map((told) => ({ before: 0, ...told, kind })),
          isComplete: found.length <= limit,
        };
      }),
  };
};
