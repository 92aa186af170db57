import type { IncidentObservations, Outage } from '../../application/insight/sweep-incidents.ts';
import { INCIDENT_CAUSES } from '../../domain/insight/incident-causes.ts';
import { INCIDENT_RULES } from '../../domain/insight/incident-rules.ts';
import type { Signal } from '../../domain/insight/incidents.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { NO_STORE } from '../../domain/ports/locator.ts';
import { isoTime } from '../../domain/time.ts';
import { isOutage } from '../../domain/unavailable.ts';

/** Work that waits for a key is tried again every 20 s. */
const NEEDED_MS = 30_000;

type Service = 'database' | 'redis';

interface Unopened {
  readonly kid: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface NodeObservations extends IncidentObservations {
  /** Records an answer to a question that was just asked. */
  answered(service: Service): void;
  /** Records a question without an answer, asked at this time in milliseconds. */
  missed(service: Service, askedAt: number): void;
  /** No key opens a secret that is sealed under the key of this name. */
  unopened(kid: string): void;
}

const NAMES = { database: 'Database', redis: 'Redis' } as const;

/** Observations of the whole server that only this process can make. They do not outlive the process. */
export const createNodeObservations = (clock: Pick<Clock, 'now'>): NodeObservations => {
  const missing: Record<Service, number | null> = { database: null, redis: null };
  let closed: readonly Unopened[] = [];
  let past: readonly Outage[] = [];

  const absenceOf = (service: Service, since: number): Signal => {
    const kind = `${service}_away` as const;
    const value = (clock.now() - since) / 1000;
    const impact = Math.floor(value);
    const of = { storeId: NO_STORE, kind, subject: '', name: NAMES[service], since: isoTime(since) };
    return { ...of, value, before: 0, impact, cause: INCIDENT_CAUSES[kind]() };
  };
  return {
    answered: (service) => {
      const since = missing[service];
      missing[service] = null;
      // The absence of Redis is recorded while it lasts.
      if (since === null || service !== 'database') return;
      const signal = absenceOf(service, since);
      if (INCIDENT_RULES[signal.kind].begins(signal)) past = [...past, { signal, endedAt: isoTime(clock.now()) }];
    },
    missed: (service, askedAt) => {
      missing[service] ??= askedAt;
    },
    unopened: (kid) => {
      const now = clock.now();
      const known = closed.find((one) => one.kid === kid);
      closed = [...closed.filter((one) => one !== known), { kid, firstAt: known?.firstAt ?? now, lastAt: now }];
    },
    sightings: () => {
      closed = closed.filter(({ lastAt }) => lastAt > clock.now() - NEEDED_MS);
      const kind = 'keys_unopened';
      const keys = closed.map(({ kid, firstAt }): Signal => {
        const of = { storeId: NO_STORE, kind, subject: kid, name: `Key ${kid}`, since: isoTime(firstAt) } as const;
        return { ...of, value: 1, before: 0, impact: 1, cause: INCIDENT_CAUSES.keys_unopened(kid) };
      });
      const redis = missing.redis === null ? [] : [absenceOf('redis', missing.redis)];
      return [
        { kind, signals: keys, isComplete: true },
        { kind: 'redis_away', signals: redis, isComplete: true },
      ];
    },
    outages: () => past,
    forget: (outage) => {
      past = past.filter((one) => one !== outage);
    },
  };
};

/** Looks, and notes whether an answer came. */
export const observing =
  (observations: NodeObservations, service: Service, look: () => Promise<boolean>, { now }: Pick<Clock, 'now'>) =>
  async (): Promise<void> => {
    const askedAt = now();
    const isThere = await look().catch((error: unknown) => {
      if (isOutage(error)) return false;
      throw error;
    });
    if (isThere) observations.answered(service);
    else observations.missed(service, askedAt);
  };
