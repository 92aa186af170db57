import type { AuditAnswer, AuditAsked } from '../../domain/insight/audit.ts';
import {
  isMilestone,
  MAX_ENTRIES_IN_HOUR,
  MAX_ENTRIES_OF_ADDRESS,
  placesOf,
  type RefusedBecause,
} from '../../domain/insight/audit-refusal.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { isoTime } from '../../domain/time.ts';
import { auditChange, type AuditedChange, type AuditedPlace } from './audit-change.ts';

/** A change or a sign-in that was refused before anything was done. */
export interface AuditRefused extends Pick<AuditedChange, 'operatorId'> {
  /** Refusals of one kind are counted together: those of one operator, or of strangers by one way in. Clients choose no kind. */
  readonly kind: string;
  /** The address that it is counted under; null where an operator is known. */
  readonly sender: string | null;
  /** Names the store by something in it, or by its domain. */
  readonly place: AuditedPlace | { readonly domain: string };
  readonly reason: RefusedBecause;
  readonly asked: Omit<AuditAsked, 'refusal' | 'before'>;
  readonly answer: Pick<AuditAnswer, 'status' | 'code'>;
}

export interface AuditRefusalGatherer {
  /** Never waits. */
  add(refused: AuditRefused): void;
  flush(): Promise<void>;
  /** Number of kinds in each hour that is not written yet. */
  readonly size: number;
}

type GathererPorts = Pick<Ports, 'auditLog' | 'clock' | 'ids' | 'locator' | 'stores'>;

const HOUR_MS = 3_600_000;

/** The refusals of one kind in one hour. Those since the last flush that are to have entries are `listed`. */
interface Hour {
  readonly kind: string;
  readonly at: number;
  readonly ofSender: Map<string, number>;
  listed: AuditRefused[];
  refused: number;
  last: AuditRefused;
  /** Number of further entries that this process may ask for. */
  left: number;
}

const writing = (ports: GathererPorts) => {
  const record = auditChange(ports);
  const locate = async (place: AuditRefused['place']): Promise<AuditedPlace> => {
    if (place === null || !('domain' in place)) return place;
    const store = await ports.stores.atDomain(place.domain);
    return store && { by: 'store', id: store.id };
  };
  return async ({ operatorId, place, reason, asked, answer }: AuditRefused, count: number): Promise<void> => {
    const refusal = { reason, count };
    const answered = await record({ operatorId, place: await locate(place), asked: { refusal, ...asked, before: null } });
    await answered({ ...answer, created: null, after: null });
  };
};

/**
 * Gathers refused changes and sign-ins for the audit log, off the path of the requests. In an hour, 50 of each kind have an entry of
 * their own, on all nodes together, and 5 of one address where nobody is known. The others are counted: the entry of the 10th, the
 * 100th, the 1,000th says how many they are. What the database does not count waits for the next flush. `onLost` gets why an entry
 * was not written: it is not tried again, and keeps no other entry from being written.
 */
export const gatherAuditRefusals = (ports: GathererPorts, onLost: (error: unknown) => void): AuditRefusalGatherer => {
  const { auditLog, clock } = ports;
  const record = writing(ports);
  const write = (refused: AuditRefused, count: number): Promise<void> => record(refused, count).catch(onLost);
  const hours = new Map<string, Hour>();

  const flush = async (hour: Hour): Promise<void> => {
    const { kind, at, last, listed, refused } = hour;
    hour.listed = [];
    hour.refused = 0;
    const added = { listed: listed.length, refused };
    const figures = await auditLog.countRefused(kind, isoTime(at), added).catch((error: unknown) => {
      hour.listed.unshift(...listed);
      hour.refused += refused;
      throw error;
    });
    for (const own of listed.slice(0, placesOf(listed.length, figures))) await write(own, 1);
    if (isMilestone(refused, figures)) await write(last, figures.refused);
  };

  return {
    get size() {
      return hours.size;
    },
    add: (refused) => {
      const { kind, sender } = refused;
      const at = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
      const key = `${kind} ${String(at)}`;
      const begun = { kind, at, ofSender: new Map<string, number>(), listed: [], refused: 0, left: MAX_ENTRIES_IN_HOUR };
      const hour = hours.get(key) ?? { ...begun, last: refused };
      hours.set(key, hour);
      hour.refused += 1;
      hour.last = refused;
      const before = sender === null ? 0 : (hour.ofSender.get(sender) ?? 0);
      if (hour.left === 0 || before >= MAX_ENTRIES_OF_ADDRESS) return;
      if (sender !== null) hour.ofSender.set(sender, before + 1);
      hour.left -= 1;
      hour.listed.push(refused);
    },
    flush: async () => {
      for (const [key, hour] of hours) {
        if (hour.refused > 0) await flush(hour);
        else if (hour.at + HOUR_MS <= clock.now()) hours.delete(key);
      }
    },
  };
};
