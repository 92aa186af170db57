import { expect, it } from 'vitest';

import { createMetrics } from '../../../src/adapters/prometheus/metrics.ts';
import { AggregateMetrics } from '../../../src/adapters/prometheus/aggregate-metrics.ts';

const readCache = { hits: 7, misses: 3, entries: 2, bytes: 2048 };
const own = (oldestRequestSeconds: number) => () => ({
  oldestRequestSeconds,
  outageErrors: 2,
  liveReaders: 0,
  slowLiveReaders: 0,
  readCache,
  names: { open: 0, waiting: 0, ended: {} },
  pool: { open: 3, idle: 1, waiting: 2 },
});
const shared = () => ({
  waitingJobs: 7,
  queued: 0,
  waitingEvents: 0,
  oldestDueSeconds: 0,
  openBreakers: 0,
  openImports: 0,
  workers: 1,
  lateTasks: 0,
  standbys: 0,
  standbysMissing: 0,
  replicationLagBytes: 0,
  checks: { queue: false },
  openIncidents: ['refusals' as const],
  clockSkewSeconds: 1,
  backupAgeSeconds: 'never' as const,
});
const metrics = (oldestRequest = 0) => createMetrics({ version: '1.2.3', generation: 2 }, { own: own(oldestRequest), shared });

it('counters and gauges are sums, what all share is there once, and what a process has is named after it', async () => {
  const [primary, one, two] = [metrics(1), metrics(40), metrics(3)];
  for (const each of [one, two, two]) each.request('GET /a', 'GET', 200, 0.02);
  const answers = new Map([
    [1, await one.snapshot()],
    [2, await two.snapshot()],
  ]);
  const whole = new AggregateMetrics();
  const look = async (from = answers): Promise<string> => whole.text(await primary.snapshot({ hasShared: true }), from);
  const text = await look();
  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'tenon_http_requests_total{method="GET",route="/a",status="200"} 3',
      'tenon_http_request_seconds_count{method="GET",route="/a"} 3',
      'tenon_http_request_seconds_bucket{le="0.025",method="GET",route="/a"} 3',
      'tenon_database_requests_waiting 6',
      'tenon_queue_waiting_jobs 7',
      'tenon_check_ok{check="queue"} 0',
      'tenon_incidents_open{kind="refusals"} 1',
      'tenon_clock_skew_seconds 1',
      'tenon_http_oldest_request_seconds 40',
      'tenon_outage_errors_total 6',
      'tenon_build_info{version="1.2.3",generation="2"} 1',
    ]),
  );
  expect([...text.matchAll(/^process_start_time_seconds\{process="(\w+)"\}/gm)].map(([, name]) => name)).toEqual([
    'primary',
    '1',
    '2',
  ]);

  // A process that is too busy to answer keeps its counts, and an ended process as well.
  const rest = new Map([...answers].slice(0, 1));
  expect(await look(rest)).toContain('tenon_http_requests_total{method="GET",route="/a",status="200"} 3');
  whole.end(2);
  const after = await look(rest);
  expect(after).toContain('tenon_http_requests_total{method="GET",route="/a",status="200"} 3');
  expect(after).toContain('tenon_http_request_seconds_bucket{le="0.025",method="GET",route="/a"} 3');
  expect(after).toContain('tenon_database_requests_waiting 4');
  expect(after).not.toContain('process="2"');
});
