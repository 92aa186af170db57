import { gatherBody, MAX_GATHERED } from '../../../../domain/webhooks/gathering.ts';
import { beginTurns } from '../../../startup/turns.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { HAS_NOT_MET, hashOf, isEnded, OPEN_WINDOWS, QUEUE_WINDOWS } from '../queue/queue-row.ts';

const STORE = { storeId: 'uuid' } as const;
const PAIRS = { ...STORE, eventIds: 'uuid[]', subscriptionIds: 'uuid[]' } as const;

const MAX_READ_BYTES = 2_097_152;

/** The next events, in their order in the feed: as many as fit, and always one. */
export const NEXT_EVENTS = statement({
  text: `
    SELECT id, type, "resourceId", position, body FROM (
      SELECT e.id, e.type, e.resource_id AS "resourceId", f.position, e.body, octet_length(e.body) AS own,
        sum(octet_length(e.body)) OVER (ORDER BY f.position ROWS UNBOUNDED PRECEDING) AS bytes
      FROM unnest($eventIds::uuid[]) AS t(event_id)
        JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
        JOIN feed f ON f.store_id = $storeId AND f.event_id = t.event_id
      WHERE f.position > $after
    ) b WHERE bytes <= ${MAX_READ_BYTES} OR bytes = own ORDER BY position`,
  parameters: { ...STORE, eventIds: 'uuid[]', after: 'int8' },
  row: { id: 'uuid', type: 'text', resourceId: 'text!', position: 'int8', body: 'text' },
});

/**
 * The pairs that have not met before. With an order, each with the place of the delivery of its resource that is queued before it, the
 * open window included.
 */
export const MEETINGS = statement({
  text: `
    SELECT e.id AS "eventId", s.id AS "subscriptionId", s.installation_id AS "installationId", s.ordered_by IS NOT NULL AS "isOrdered",
      CASE WHEN s.ordered_by IS NOT NULL THEN (
        SELECT max(p.position) FROM delivery_queue p
        WHERE p.store_id = $storeId AND p.subscription_id = s.id AND p.resource_hash = ${hashOf('e.resource_id')} AND p.position < f.position
      ) END AS before
    FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[]) AS t(event_id, subscription_id)
      JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
      JOIN feed f ON f.store_id = $storeId AND f.event_id = t.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = t.subscription_id
    WHERE ${HAS_NOT_MET}
    ORDER BY f.position`,
  parameters: PAIRS,
  row: { eventId: 'uuid', subscriptionId: 'uuid', installationId: 'uuid?', isOrdered: 'bool', before: 'int8?' },
});

/** The open windows that such events may join. */
const JOINABLE = `(
      SELECT DISTINCT t.subscription_id, e.type, e.resource_id FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[]) AS t(event_id, subscription_id)
        JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
    ) w
      JOIN delivery_queue q ON q.store_id = $storeId AND q.subscription_id = w.subscription_id AND q.resource_hash = ${hashOf('w.resource_id')}
        AND q.is_gathering AND q.due_at > statement_timestamp() AND NOT ${isEnded('$storeId')}
      JOIN events e ON e.store_id = $storeId AND e.id = q.event_id AND e.type = w.type AND e.resource_id = w.resource_id`;

/**
 * Until the end of the transaction none of these is closed, and one that is being closed is waited for. All of a fan-out at once, in the
 * order in which they are closed.
 */
const LOCK = statement({
  text: `SELECT FROM ${JOINABLE} ORDER BY q.delivery_id FOR UPDATE OF q`,
  parameters: PAIRS,
});

const WINDOWS = statement({
  text: `
    SELECT q.delivery_id AS "deliveryId", q.subscription_id AS "subscriptionId", q.event_id AS "eventId", q.position, e.type,
      e.resource_id AS "resourceId", d.gathered, coalesce(d.body, e.body) AS body
    FROM ${JOINABLE} JOIN deliveries d ON d.store_id = $storeId AND d.id = q.delivery_id`,
  parameters: PAIRS,
  row: {
    deliveryId: 'uuid',
    subscriptionId: 'uuid',
    eventId: 'uuid',
    position: 'int8?',
    type: 'text',
    resourceId: 'text!',
    gathered: 'int4!',
    body: 'text',
  },
});

/** A delivery `d` that waits for a window of `s`. */
const IN_WINDOW = `least(d.created_at + make_interval(secs => s.gather_max_seconds), now_ms() + make_interval(secs => s.gather_quiet_seconds))`;

/** Windows that were open before, with the events that joined them: the newest is the event of the delivery. A full one ends now. */
const JOIN = statement({
  text: `
    WITH joined AS (
      SELECT * FROM unnest($ids::uuid[], $eventIds::uuid[], $bodies::text[], $counts::int[]) AS w(delivery_id, event_id, body, gathered)
    ), moved AS (
      UPDATE delivery_queue q SET event_id = w.event_id, due_at = CASE WHEN w.gathered >= ${MAX_GATHERED} THEN now_ms() ELSE ${IN_WINDOW} END
      FROM joined w
        JOIN deliveries d ON d.store_id = $storeId AND d.id = w.delivery_id
        JOIN subscriptions s ON s.store_id = $storeId AND s.id = d.subscription_id
      WHERE q.store_id = $storeId AND q.delivery_id = w.delivery_id
      RETURNING w.*, q.due_at
    )
    UPDATE deliveries d SET event_id = m.event_id, body = m.body, gathered = m.gathered, next_attempt_at = m.due_at
    FROM moved m WHERE d.store_id = $storeId AND d.id = m.delivery_id`,
  parameters: { ...STORE, ids: 'uuid[]', eventIds: 'uuid[]', bodies: 'text[]', counts: 'int4[]' },
});

/** Says which events the delivery of the newest one has. */
const KEEP = statement({
  text: `
    INSERT INTO gathered_events (store_id, delivery_id, event_id)
    SELECT $storeId, d.id, t.event_id
    FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[], $newest::uuid[]) AS t(event_id, subscription_id, newest)
      JOIN deliveries d ON d.store_id = $storeId AND d.event_id = t.newest AND d.subscription_id = t.subscription_id
    ON CONFLICT DO NOTHING`,
  parameters: { ...PAIRS, newest: 'uuid[]' },
});

export interface Pair {
  readonly eventId: string;
  readonly subscriptionId: string;
}

type Event = NonNullable<typeof NEXT_EVENTS.row>;
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
      sql.enqueue(OPEN_WINDOWS, {
        ...pairs,
        // The event has the body of a delivery that has gathered nothing.
        bodies: opened.map(({ body, gathered }) => (gathered > 1 ? body : null)),
        counts: opened.map(({ gathered }) => gathered),
      });
      sql.enqueue(QUEUE_WINDOWS, { ...pairs, positions: opened.map(({ position }) => position) });
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
    const events = await sql.rows(NEXT_EVENTS, { storeId, eventIds: wanted, after });
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
