import { gatherBody, MAX_GATHERED } from '../../../../domain/webhooks/gathering.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { beginTurns } from '../../../startup/turns.ts';
import { EVENTS, JOIN, KEEP, LOCK, MEETINGS, OPEN, QUEUE_OPENED, WINDOWS } from './gathering-statements.ts';

/** An event for a subscription. */
export interface Pair {
  readonly eventId: string;
  readonly subscriptionId: string;
}

type Event = NonNullable<typeof EVENTS.row>;
type Meeting = NonNullable<typeof MEETINGS.row>;

/** At most this many windows have their bodies in memory: 50 MiB, since each could be sent. */
const MAX_PAIRS = 200;

const idsOf = (pairs: readonly Pair[]) => ({
  eventIds: pairs.map(({ eventId }) => eventId),
  subscriptionIds: pairs.map(({ subscriptionId }) => subscriptionId),
});

/** The subscriptions whose next turn is at another time now, and that of each event that joined the delivery of another. */
interface Gathered {
  readonly changed: string[];
  readonly joined: string[];
}

/** A delivery that events join. */
interface Window {
  /** Null: it is not written yet. */
  readonly deliveryId: string | null;
  readonly subscriptionId: string;
  readonly position: number;
  readonly joined: string[];
  eventId: string;
  body: string;
  gathered: number;
}

/** The windows of some pairs, as their events join them in the order of the feed. */
class Windows {
  readonly #all: Window[] = [];
  readonly #open = new Map<string, Window>();
  /** The place of the newest delivery of a resource that was added here. */
  readonly #added = new Map<string, number>();

  constructor(rows: readonly NonNullable<typeof WINDOWS.row>[]) {
    const placed = rows.map((row) => ({ ...row, position: Number(row.position ?? 0) })).sort((a, b) => a.position - b.position);
    // In an order, the last one of several of a resource is open.
    for (const { type, resourceId, ...row } of placed) {
      const window = { ...row, joined: [] };
      this.#open.set(JSON.stringify([row.subscriptionId, type, resourceId]), window);
      this.#all.push(window);
    }
  }

  add({ subscriptionId, installationId, isOrdered, before }: Meeting, { id, type, resourceId, position, body }: Event): void {
    const key = JSON.stringify([subscriptionId, type, resourceId]);
    const resource = JSON.stringify([subscriptionId, resourceId]);
    const window = this.#open.get(key);
    const last = Math.max(Number(before ?? 0), this.#added.get(resource) ?? 0);
    // In an order, what joins it would overtake a delivery of its resource that is behind it.
    if (window && window.gathered < MAX_GATHERED && !(isOrdered && last > window.position)) {
      window.joined.push(window.eventId);
      window.body = gatherBody(window.body, body, installationId);
      window.eventId = id;
      window.gathered += 1;
      return;
    }
    const added = { deliveryId: null, subscriptionId, position: Number(position), joined: [], eventId: id, body, gathered: 1 };
    this.#open.set(key, added);
    this.#added.set(resource, added.position);
    this.#all.push(added);
  }

  async write(sql: TransactionSql, storeId: string): Promise<Gathered> {
    const opened = this.#all.filter(({ deliveryId }) => deliveryId === null);
    const joined = this.#all.filter((window) => window.deliveryId !== null && window.joined.length > 0);
    const kept = this.#all.flatMap(({ subscriptionId, eventId: newest, joined: events }) =>
      events.map((eventId) => ({ eventId, subscriptionId, newest })),
    );
    if (joined.length > 0) {
      await sql.execute(JOIN, {
        storeId,
        ids: joined.flatMap(({ deliveryId }) => deliveryId ?? []),
        eventIds: idsOf(joined).eventIds,
        bodies: joined.map(({ body }) => body),
        counts: joined.map(({ gathered }) => gathered),
      });
    }
    if (opened.length > 0) {
      const pairs = { storeId, ...idsOf(opened) };
      sql.enqueue(OPEN, {
        ...pairs,
        // The event has the body of a delivery that has gathered nothing.
        bodies: opened.map(({ body, gathered }) => (gathered > 1 ? body : null)),
        counts: opened.map(({ gathered }) => gathered),
      });
      sql.enqueue(QUEUE_OPENED, { ...pairs, positions: opened.map(({ position }) => position) });
    }
    if (kept.length > 0) await sql.execute(KEEP, { storeId, ...idsOf(kept), newest: kept.map(({ newest }) => newest) });
    const full = joined.filter(({ gathered }) => gathered >= MAX_GATHERED);
    return { changed: idsOf([...opened, ...full]).subscriptionIds, joined: idsOf(kept).subscriptionIds };
  }
}

const slicesOf = (pairs: readonly Pair[]): readonly (readonly Pair[])[] =>
  Array.from({ length: Math.ceil(pairs.length / MAX_PAIRS) }, (_, at) => pairs.slice(at * MAX_PAIRS, (at + 1) * MAX_PAIRS));

/**
 * Has the events join open windows of subscriptions that gather, or opens windows with them. The caller has the lock of a
 * fan-out.
 */
export const gather = async (sql: TransactionSql, storeId: string, pairs: readonly Pair[]): Promise<Gathered> => {
  const all: Gathered = { changed: [], joined: [] };
  if (pairs.length > 0) await sql.execute(LOCK, { storeId, ...idsOf(pairs) });
  const wanted = [...new Set(idsOf(pairs).eventIds)];
  let [seen, after] = [0, 0];
  const turn = beginTurns();
  while (seen < wanted.length) {
    const events = await sql.rows(EVENTS, { storeId, eventIds: wanted, after });
    const byId = new Map(events.map((event) => [event.id, event]));
    const order = new Map(events.map(({ id }, at) => [id, at]));
    const read = pairs.filter(({ eventId }) => byId.has(eventId));
    read.sort((a, b) => (order.get(a.eventId) ?? 0) - (order.get(b.eventId) ?? 0));
    for (const slice of slicesOf(read)) {
      const meetings = await sql.rows(MEETINGS, { storeId, ...idsOf(slice) });
      const windows = new Windows(await sql.rows(WINDOWS, { storeId, ...idsOf(meetings) }));
      for (const meeting of meetings) {
        const event = byId.get(meeting.eventId);
        if (event) windows.add(meeting, event);
        // Two bodies are parsed for each.
        await turn();
      }
      const { changed, joined } = await windows.write(sql, storeId);
      all.changed.push(...changed);
      all.joined.push(...joined);
    }
    if (events.length === 0) break;
    seen += events.length;
    after = Number(events.at(-1)?.position);
  }
  return all;
};
