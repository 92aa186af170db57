import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS, STATUS_CLASSES } from '../../src/domain/insight/figures.ts';

/** A statement with its parameters, in order. */
export interface Step {
  readonly about: string;
  readonly text: string;
  readonly parameters: readonly string[];
}

export const STORES: Step = {
  about: 'Stores',
  text: `
    WITH made AS (
      INSERT INTO stores (id, domain, name, currency, status, created_at)
      SELECT uuid7(now()), 'shop-' || n || '.example', 'Shop ' || n, 'EUR', CASE WHEN n % 50 = 0 THEN 'Inactive' ELSE 'Active' END, now() + n * interval '1 ms'
      FROM generate_series(2, $1::int) n RETURNING domain, id
    )
    INSERT INTO store_domains (domain, store) SELECT domain, id FROM made`,
  parameters: ['stores'],
};

export const APPS: Step = {
  about: 'Apps',
  text: `
    INSERT INTO installations (store_id, id, name, client_id, scopes, status, created_at, uninstalled_at)
    SELECT $1::uuid, uuid7(now()), 'App ' || n || CASE n % 4 WHEN 0 THEN ' stock sync' WHEN 1 THEN ' price watcher' WHEN 2 THEN ' search' ELSE ' mailer' END,
      'tnc_large' || n, ARRAY['read_orders', 'read_products'], CASE WHEN n % 40 = 0 THEN 'Uninstalled' WHEN n % 30 = 0 THEN 'Suspended' ELSE 'Installed' END,
      now() + n * interval '1 ms', CASE WHEN n % 40 = 0 THEN now() END
    FROM generate_series((SELECT count(*)::int + 1 FROM installations WHERE store_id = $1::uuid), $2::int) n`,
  parameters: ['store', 'apps'],
};

/** The receiver of the demo does not know the path of those that fail. They have failed for two hours, and half of them are paused. */
export const SUBSCRIPTIONS: Step = {
  about: 'Subscriptions',
  text: `
    INSERT INTO subscriptions (store_id, id, installation_id, url, description, event_types, signing_secret, created_at, failures, failing_since, probe_at)
    SELECT $1::uuid, uuid7(now()), i.id, 'http://127.0.0.1:' || $2::text || '/demo/' || k.path, k.description, ARRAY['product.updated', 'order.paid'],
      CASE WHEN i.id IS NULL THEN (SELECT signing_secret FROM subscriptions WHERE store_id = $1::uuid AND signing_secret IS NOT NULL LIMIT 1) END,
      now() - interval '21 days' + n * interval '1 ms', CASE WHEN k.fails THEN n % 2 * 10 + 4 ELSE 0 END,
      CASE WHEN k.fails THEN now() - interval '2 hours' + n * interval '1 second' END, CASE WHEN k.fails AND n % 2 = 1 THEN now() + interval '10 minutes' END
    FROM generate_series(1, $3::int + $4::int) n
      CROSS JOIN LATERAL (SELECT n <= $3::int AS fails,
        CASE WHEN n <= $3::int THEN 'warehouse-' || n ELSE 'search-index' END AS path,
        CASE WHEN n <= $3::int AND n % 3 = 0 THEN 'Warehouse ' || n END AS description) k
      LEFT JOIN (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM installations WHERE store_id = $1::uuid AND status = 'Installed') i
        ON n > $3::int AND i.place = n`,
  parameters: ['store', 'port', 'failing', 'fine'],
};

/** Moves the demo's records behind the filled ones, in the feed and in time. */
export const SHIFT: Step = {
  about: 'Places of the demo in the feed',
  text: `
    WITH moved AS (UPDATE feed SET position = position + $2::bigint WHERE store_id = $1::uuid)
    INSERT INTO feed_heads (store_id, head) VALUES ($1::uuid, $2::bigint)
    ON CONFLICT (store_id) DO UPDATE SET head = feed_heads.head + excluded.head`,
  parameters: ['store', 'events'],
};

/**
 * Spreads events over twenty days, the newest two hours ago, or a moment ago in the traffic of
 * receivers that fail.
 */
const PLAN = `
  CREATE TEMP TABLE large ON COMMIT DROP AS
  SELECT n, uuid7(at) AS id, at, CASE WHEN n % 5 = 0 THEN 'order.paid' ELSE 'product.updated' END AS type
  FROM generate_series(1, $1::int) n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '1 minute' - ($1::int - n) * (interval '20 days' / $1::int)) AS at) t`;

const RESOURCE = `CASE WHEN l.n IN (1002, 200002, ($2::int * 0.9)::int + 2) THEN $3::text
  WHEN l.type = 'order.paid' THEN 'order-' || l.n
  WHEN l.n % 20 = 1 THEN ($4::text[])[1 + l.n / 20 % array_length($4::text[], 1)]
  ELSE md5('product ' || l.n % 50000)::uuid::text END`;

const EVENTS = `
  INSERT INTO events (store_id, id, type, resource_id, body, created_at)
  SELECT $1::uuid, l.id, l.type, r.id, json_build_object('id', l.id, 'type', l.type, 'timestamp', iso(l.at), 'storeId', $1::uuid, 'data',
      CASE WHEN l.type = 'order.paid' THEN json_build_object('id', r.id, 'total', l.n % 500, 'currency', 'EUR')
        ELSE json_build_object('id', r.id, 'changedFields', ARRAY['price'], 'origin', NULL) END)::text, l.at
  FROM large l CROSS JOIN LATERAL (SELECT ${RESOURCE} AS id) r`;

const FEED = `
  INSERT INTO feed (store_id, position, event_id, placed_at) SELECT $1::uuid, n, id, at FROM large ORDER BY n`;

/** Every second event has a delivery. Deliveries to a failing receiver wait since the failure. */
const DELIVERY_PLAN = `
  CREATE TEMP TABLE large_delivery ON COMMIT DROP AS
  SELECT uuid7(l.at) AS id, l.id AS event_id, l.at, s.id AS subscription_id, s.installation_id, s.failing_since IS NOT NULL AND l.at > s.failing_since AS waits, l.n
  FROM large l JOIN (SELECT *, row_number() OVER (ORDER BY created_at, id) - 1 AS place, count(*) OVER () AS places
    FROM subscriptions WHERE store_id = $1::uuid) s ON s.place = l.n / 2 % s.places
  WHERE l.n % 2 = 0`;

const ERROR = `CASE WHEN d.waits THEN CASE WHEN d.n % 3 = 0 THEN 'timeout' ELSE 'http_5xx' END WHEN d.n % 500 = 0 THEN 'expired' END`;
const DUE = `now() + interval '1 minute' + (d.n % 7200) * interval '1 second'`;

const DELIVERIES = `
  INSERT INTO deliveries (store_id, id, event_id, subscription_id, installation_id, status, attempts, next_attempt_at, created_at, updated_at, error)
  SELECT $1::uuid, d.id, d.event_id, d.subscription_id, d.installation_id, CASE WHEN d.waits THEN 'Pending' WHEN d.n % 500 = 0 THEN 'Failed' ELSE 'Delivered' END,
    1, CASE WHEN d.waits THEN ${DUE} END, d.at, d.at, ${ERROR}
  FROM large_delivery d ORDER BY d.n`;

const ATTEMPTS = `
  INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms, status, address, error, response)
  SELECT $1::uuid, d.id, 1, d.at + interval '20 ms', 5 + d.n % 400, CASE WHEN a.error = 'timeout' THEN NULL WHEN a.error IS NULL THEN 200 ELSE 503 END, '127.0.0.1',
    CASE WHEN a.error = 'timeout' THEN 'timeout' END, CASE WHEN a.error IS NULL THEN '{"indexed":true}' WHEN a.error <> 'timeout' THEN '{"error":"The warehouse is closed."}' END
  FROM large_delivery d CROSS JOIN LATERAL (SELECT ${ERROR} AS error) a ORDER BY d.n`;

const QUEUE = `
  INSERT INTO delivery_queue (store_id, delivery_id, subscription_id, event_id, due_at, attempts, tries)
  SELECT $1::uuid, d.id, d.subscription_id, d.event_id, ${DUE}, 1, 1 FROM large_delivery d WHERE d.waits`;

/** Counts of a histogram with all in one class. */
const histogram = (bounds: number, at: number, count: string): string =>
  `ARRAY[${Array.from({ length: bounds }, (_, n) => (n === at ? count : '0')).join()}]::int[]`;

const CLASSES = STATUS_CLASSES.map((name) => {
  if (name === '2xx') return 'f.good';
  return name === '5xx' ? 'f.bad' : '0';
});

/** By minute for the last 36 hours, by hour before. */
const FIGURES = `
  INSERT INTO delivery_figures AS t (store_id, subscription_id, unit, at, delivered, failed, dropped, attempts, latency, first_attempt)
  SELECT $1::uuid, f.subscription_id, f.unit, f.at, f.good, 0, 0, ARRAY[${CLASSES.join()}]::int[],
    ${histogram(LATENCY_BOUNDS_MS.length + 1, 3, 'f.good + f.bad')}, ${histogram(FIRST_ATTEMPT_BOUNDS_MS.length + 1, 2, 'f.good + f.bad')}
  FROM (
    SELECT d.subscription_id, u.unit, date_trunc(u.unit, d.at) AS at, (count(*) FILTER (WHERE NOT d.waits))::int AS good, (count(*) FILTER (WHERE d.waits))::int AS bad
    FROM large_delivery d CROSS JOIN LATERAL (SELECT CASE WHEN d.at > now() - interval '36 hours' THEN 'minute' ELSE 'hour' END AS unit) u
    GROUP BY 1, 2, 3
  ) f
  ON CONFLICT (store_id, at, unit, subscription_id) DO NOTHING`;

export const TRAFFIC: readonly Step[] = [
  { about: 'Plan of the events', text: PLAN, parameters: ['events'] },
  { about: 'Events', text: EVENTS, parameters: ['store', 'events', 'rare', 'products'] },
  { about: 'Places in the feed', text: FEED, parameters: ['store'] },
  { about: 'Plan of the deliveries', text: DELIVERY_PLAN, parameters: ['store'] },
  { about: 'Deliveries', text: DELIVERIES, parameters: ['store'] },
  { about: 'Attempts', text: ATTEMPTS, parameters: ['store'] },
  { about: 'Queued deliveries', text: QUEUE, parameters: ['store'] },
  { about: 'Figures', text: FIGURES, parameters: ['store'] },
];

export const ANALYSED = [
  ...['stores', 'installations', 'subscriptions', 'events', 'feed', 'deliveries', 'delivery_attempts', 'delivery_queue'],
  'delivery_figures',
];
