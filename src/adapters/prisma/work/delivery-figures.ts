import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS, STATUS_CLASSES } from '../../../domain/insight/figures.ts';

export const LATENCIES = LATENCY_BOUNDS_MS.length + 1;
const WAITS = FIRST_ATTEMPT_BOUNDS_MS.length + 1;

/** An array in SQL of what `of` makes of each index from 1. */
export const arrayOf = (length: number, of: (index: number) => string): string =>
  `ARRAY[${Array.from({ length }, (_, at) => of(at + 1)).join(', ')}]::int[]`;

export const eachCount = (of: (element: string) => string) => ({
  attempts: arrayOf(STATUS_CLASSES.length, (index) => of(`attempts[${String(index)}]`)),
  latency: arrayOf(LATENCIES, (index) => of(`latency[${String(index)}]`)),
  firstAttempt: arrayOf(WAITS, (index) => of(`first_attempt[${String(index)}]`)),
});

const { attempts, latency, firstAttempt } = eachCount((element) => `f.${element} + excluded.${element}`);

/**
 * Adds rows to the figures. The rows come in the order of their keys, so that two transactions do
 * not wait for each other.
 */
export const addingDeliveryFigures = (rows: string): string => `
  INSERT INTO delivery_figures AS f (store_id, subscription_id, unit, at, delivered, failed, dropped, attempts, latency, first_attempt, filtered, gathered)
  ${rows}
  ORDER BY 1, 4, 2
  ON CONFLICT (store_id, at, unit, subscription_id) DO UPDATE SET delivered = f.delivered + excluded.delivered,
    failed = f.failed + excluded.failed, dropped = f.dropped + excluded.dropped, attempts = ${attempts}, latency = ${latency},
    first_attempt = ${firstAttempt}, filtered = f.filtered + excluded.filtered, gathered = f.gathered + excluded.gathered`;

const minuteOf = (time: string): string => `store_id, subscription_id, 'minute', date_trunc('minute', ${time})`;
const counted = (status: string): string => `count(*) FILTER (WHERE status = '${status}')::int`;
const OUTCOMES = `${counted('Delivered')}, ${counted('Failed')}, ${counted('Dropped')}`;

const bounds = [-1, ...LATENCY_BOUNDS_MS].map((above, index) => {
  const upper = LATENCY_BOUNDS_MS[index];
  return `duration_ms > ${String(above)}${upper === undefined ? '' : ` AND duration_ms <= ${String(upper)}`}`;
});

/**
 * Counts attempts with the status of their delivery afterwards, the HTTP status, the duration, and
 * the place from 0 of a first attempt in its histogram.
 */
export const attemptFigures = (source: string): string =>
  addingDeliveryFigures(`SELECT ${minuteOf('statement_timestamp()')}, ${OUTCOMES},
    ${arrayOf(STATUS_CLASSES.length, (place) => {
      if (place === STATUS_CLASSES.length) return 'count(*) FILTER (WHERE http_status IS NULL)';
      return `count(*) FILTER (WHERE http_status IS NOT NULL AND least(greatest(http_status / 100, 2), 5) = ${String(place + 1)})`;
    })},
    ${arrayOf(LATENCIES, (place) => `count(*) FILTER (WHERE ${bounds[place - 1] ?? ''})`)},
    ${arrayOf(WAITS, (place) => `count(*) FILTER (WHERE first_attempt = ${String(place - 1)})`)}, 0, 0
  FROM ${source} GROUP BY store_id, subscription_id`);

const NO_ATTEMPTS = [STATUS_CLASSES.length, LATENCIES, WAITS].map((length) => arrayOf(length, () => '0')).join(', ');

/** Counts deliveries that ended without an attempt. `source` and `at`, when they ended, are SQL. */
export const endFigures = (source: string, at = 'statement_timestamp()'): string =>
  addingDeliveryFigures(`SELECT ${minuteOf(at)}, ${OUTCOMES}, ${NO_ATTEMPTS}, 0, 0
  FROM ${source} GROUP BY store_id, subscription_id`);

/**
 * Counts events without a separate delivery: filters kept them from subscriptions, or they joined
 * the delivery of another. `source` is SQL.
 */
export const unsentFigures = (source: string): string =>
  addingDeliveryFigures(`SELECT ${minuteOf('statement_timestamp()')}, 0, 0, 0, ${NO_ATTEMPTS},
    count(*) FILTER (WHERE is_filtered)::int, count(*) FILTER (WHERE NOT is_filtered)::int
  FROM ${source} GROUP BY store_id, subscription_id`);
