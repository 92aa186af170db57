import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { OwnFigures, SharedFigures } from '../../src/adapters/prometheus/gauges.ts';
import { MAX_QUEUED_COUNTED } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { countSharedFigures } from '../../src/adapters/wiring/ports/shared-figures.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp } from '../support/app.ts';
import { createMetrics, type Metrics } from '../../src/adapters/prometheus/metrics.ts';

describe('the metrics count', () => {
  let figures: OwnFigures & SharedFigures;
  let looks: number;
  let metrics: Metrics;
  beforeEach(() => {
    figures = {
      waitingJobs: 1,
      queued: 2,
      waitingEvents: 9,
      oldestDueSeconds: 3.5,
      openBreakers: 4,
      openImports: 5,
      workers: 2,
      lateTasks: 1,
      standbys: 2,
      standbysMissing: 1,
      replicationLagBytes: 4096,
      checks: { database: true, queue: false },
      openIncidents: ['refusals', 'refusals', 'redis_away'],
      clockSkewSeconds: 0.25,
      backupAgeSeconds: 3_600,
      outageErrors: 11,
      oldestRequestSeconds: 12.5,
      liveReaders: 6,
      slowLiveReaders: 7,
      names: { open: 3, waiting: 2, ended: { found: 9, busy: 4 } },
      readCache: { hits: 7, misses: 3, entries: 2, bytes: 2048 },
      pool: { open: 10, idle: 2, waiting: 8 },
    };
    looks = 0;
    metrics = createMetrics(
      { version: '1.2.3', generation: 2 },
      {
        own: () => figures,
        shared: () => {
          looks += 1;
          return figures;
        },
      },
    );
  });
  /** The lines of our own series. */
  const lines = async (): Promise<string[]> => (await metrics.text()).split('\n').filter((line) => line.startsWith('tenon_'));

  it('requests by the declared route and status, with an empty route where none matched', async () => {
    metrics.request('GET /apps/products/{id}', 'GET', 200, 0.02);
    metrics.request('GET /apps/products/{id}', 'GET', 404, 0.2);
    metrics.request(null, 'POST', 404, 0.001);
    const seen = await lines();
    expect(seen).toContain('tenon_http_requests_total{method="GET",route="/apps/products/{id}",status="200"} 1');
    expect(seen).toContain('tenon_http_requests_total{method="GET",route="/apps/products/{id}",status="404"} 1');
    expect(seen).toContain('tenon_http_requests_total{method="POST",route="",status="404"} 1');
    expect(seen).toContain('tenon_http_request_seconds_count{method="GET",route="/apps/products/{id}"} 2');
    expect(seen).toContain('tenon_http_request_seconds_bucket{le="0.025",method="GET",route="/apps/products/{id}"} 1');
  });
  it('what the read cache holds, and its hits and misses, each time as they are', async () => {
    await lines();
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'tenon_read_cache_reads_total{outcome="hit"} 7',
        'tenon_read_cache_reads_total{outcome="miss"} 3',
        'tenon_read_cache_entries 2',
        'tenon_read_cache_bytes 2048',
        'tenon_name_lookups_open 3',
        'tenon_name_lookups_waiting 2',
        'tenon_name_lookups_total{outcome="found"} 9',
        'tenon_name_lookups_total{outcome="busy"} 4',
      ]),
    );
  });
  it('refusals by the check that failed, and uses of keys by their kind', async () => {
    for (const check of ['rate', 'rate', 'scope'] as const) metrics.refusal(check);
    metrics.keyUse('replays');
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'tenon_app_refusals_total{check="rate"} 2',
        'tenon_app_refusals_total{check="scope"} 1',
        'tenon_idempotency_key_uses_total{use="replays"} 1',
      ]),
    );
  });
  it('events that were fanned out, and the version', async () => {
    metrics.fannedOut(3);
    metrics.fannedOut(0);
    expect(await lines()).toEqual(
      expect.arrayContaining(['tenon_feed_events_total 3', 'tenon_build_info{version="1.2.3",generation="2"} 1']),
    );
  });
  it('refusals, uses of keys and calls that are lost', async () => {
    metrics.lost('refusals', 3);
    metrics.lost('keyUses', 2);
    metrics.lost('calls', 4);
    expect(await lines()).toEqual(
      expect.arrayContaining(['tenon_request_log_lost_total 3', 'tenon_key_uses_lost_total 2', 'tenon_calls_lost_total 4']),
    );
  });
  it('attempts by their outcome; only the first attempt has a waiting time, which is never negative', async () => {
    metrics.attempt({ outcome: 'delivered', durationSeconds: 0.3, waitedSeconds: 0.02 });
    metrics.attempt({ outcome: 'delivered', durationSeconds: 0.3, waitedSeconds: -1 });
    metrics.attempt({ outcome: 'retry', durationSeconds: 0.4, waitedSeconds: null });
    const seen = await lines();
    expect(seen).toContain('tenon_webhook_attempts_total{outcome="delivered"} 2');
    expect(seen).toContain('tenon_webhook_attempts_total{outcome="retry"} 1');
    expect(seen).toContain('tenon_webhook_attempt_seconds_sum 1');
    expect(seen).toContain('tenon_webhook_commit_to_first_attempt_seconds_count 2');
    expect(seen).toContain('tenon_webhook_commit_to_first_attempt_seconds_sum 0.02');
  });
  it('items of media imports by their outcome', async () => {
    metrics.item({ outcome: 'ready', durationSeconds: 0.2 });
    metrics.item({ outcome: 'too_large', durationSeconds: 3 });
    const seen = await lines();
    expect(seen).toContain('tenon_media_import_items_total{outcome="ready"} 1');
    expect(seen).toContain('tenon_media_import_items_total{outcome="too_large"} 1');
    expect(seen).toContain('tenon_media_import_item_seconds_bucket{le="0.25"} 1');
    expect(seen).toContain('tenon_media_import_item_seconds_sum 3.2');
  });
  it('gauges, which are read once per scrape', async () => {
    const gauges = async (): Promise<string[]> =>
      (await lines()).filter(
        (line) =>
          /queue_|oldest|events_waiting|breakers|imports_open|live|database_/.test(line) && !line.startsWith('tenon_incidents'),
      );
    const text = (waiting: number): string[] => [
      `tenon_queue_waiting_jobs ${String(waiting)}`,
      'tenon_webhook_deliveries_queued 2',
      'tenon_webhook_events_waiting 9',
      'tenon_webhook_oldest_due_seconds 3.5',
      'tenon_webhook_open_breakers 4',
      'tenon_http_oldest_request_seconds 12.5',
      'tenon_live_readers 6',
      'tenon_live_readers_slow 7',
      'tenon_media_imports_open 5',
      'tenon_database_standbys 2',
      'tenon_database_standbys_missing 1',
      'tenon_database_replication_lag_bytes 4096',
      'tenon_database_requests_waiting 8',
      'tenon_database_connections{state="active"} 8',
      'tenon_database_connections{state="idle"} 2',
    ];
    expect(await gauges()).toEqual(text(1));
    figures = { ...figures, waitingJobs: 9 };
    expect(await gauges()).toEqual(text(9));
    expect(looks).toBe(2);
  });
  it('errors of outages, each time as they are', async () => {
    await lines();
    expect(await lines()).toContain('tenon_outage_errors_total 11');
  });
  it('the checks of the node, its clock, and open incidents by kind', async () => {
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'tenon_check_ok{check="database"} 1',
        'tenon_check_ok{check="queue"} 0',
        'tenon_clock_skew_seconds 0.25',
        'tenon_incidents_open{kind="refusals"} 2',
        'tenon_incidents_open{kind="redis_away"} 1',
        'tenon_incidents_open{kind="keys_unopened"} 0',
      ]),
    );
    figures = { ...figures, openIncidents: null, clockSkewSeconds: null };
    expect(await lines()).toEqual(
      expect.arrayContaining(['tenon_clock_skew_seconds Nan', 'tenon_incidents_open{kind="refusals"} Nan']),
    );
  });
  it('the age of the last backup, and no series where there is none', async () => {
    const ages = async () => (await lines()).filter((line) => line.startsWith('tenon_backup_age_seconds'));
    expect(await ages()).toEqual(['tenon_backup_age_seconds 3600']);
    figures = { ...figures, backupAgeSeconds: 'never' };
    expect(await ages()).toEqual([]);
    figures = { ...figures, backupAgeSeconds: null };
    expect(await ages()).toEqual(['tenon_backup_age_seconds Nan']);
  });
  it('a shared gauge as not known while it cannot be read', async () => {
    figures = { ...figures, waitingJobs: null };
    expect(await lines()).toEqual(expect.arrayContaining(['tenon_queue_waiting_jobs Nan', 'tenon_live_readers 6']));
  });
  // At least half of the blocked time: a busy machine can make a delay longer, never shorter.
  it('the longest delay of the event loop since the last scrape, under its standard name', async () => {
    const lag = async (): Promise<number> =>
      Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.text())?.[1] ?? NaN);
    const turn = () => new Promise((resolve) => setTimeout(resolve, 50));
    await turn();
    await lag();
    await turn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    await turn();
    const stood = await lag();
    expect(stood).toBeGreaterThan(1);
    await turn();
    expect(await lag()).toBeLessThan(stood);
  });
  it('separately for two servers in one process', async () => {
    createMetrics({ version: '1.2.3', generation: 2 }, { own: () => figures, shared: () => figures }).attempt({
      outcome: 'failed',
      durationSeconds: 1,
      waitedSeconds: null,
    });
    expect((await lines()).join('\n')).not.toContain('outcome="failed"');
  });
});

it('a scrape counts nothing: it shows what the node has counted at its start, and counts at intervals', async () => {
  const app = await openApp();
  try {
    const { deliveries } = app.container.resolve(TOKENS.ports);
    const scraper = app.container.resolve(TOKENS.metrics);
    await expect.poll(() => scraper.text()).toMatch(/^tenon_webhook_deliveries_queued 0$/m);
    const count = vi.spyOn(deliveries, 'figures');
    await Promise.all(Array.from({ length: 20 }, () => scraper.text()));
    expect(count).not.toHaveBeenCalled();
  } finally {
    await app.close();
  }
});

describe('the counter of what all nodes share', () => {
  const none = () => Promise.resolve(0);
  const portsOf = (figures: Ports['deliveries']['figures']) =>
    ({
      deliveries: { figures },
      deliveryQueue: { depth: none },
      importQueue: { depth: none },
      mediaImports: { open: none },
      processes: { list: () => Promise.resolve({ seen: [], older: false }) },
      incidents: { open: () => Promise.resolve([{ kind: 'refusals' }]) },
    }) as unknown as Ports;
  /** A server that has no standbys. */
  const storage = {
    replicationFigures: () => Promise.resolve({ standbys: 0, standbysMissing: 0, replicationLagBytes: 0 }),
    clockSkewMs: () => Promise.resolve(250),
    lastBackup: () => Promise.resolve({ ageSeconds: 60, rows: 1, bytes: 1 }),
  };
  const judge = () => Promise.resolve({ database: 'ok', queue: 'degraded' } as const);
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts at its start and every 30 s, however often it is asked, until it is stopped', async () => {
    const count = vi.fn(() => Promise.resolve({ queued: 3, waitingEvents: 0, oldestDueSeconds: 4, openBreakers: 5 }));
    const counter = countSharedFigures(portsOf(count), storage, createLogger('silent'));
    expect(counter.latest().queued).toBeNull();
    const stop = counter.start(judge);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(counter.latest()).toEqual({
      ...{
        waitingJobs: 0,
        openImports: 0,
        workers: 0,
        lateTasks: 0,
        queued: 3,
        waitingEvents: 0,
        oldestDueSeconds: 4,
        openBreakers: 5,
      },
      ...{ standbys: 0, standbysMissing: 0, replicationLagBytes: 0 },
      ...{ checks: { database: true, queue: false }, openIncidents: ['refusals'], clockSkewSeconds: 0.25, backupAgeSeconds: 60 },
    });
    expect(count.mock.calls).toEqual([[MAX_QUEUED_COUNTED]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(count).toHaveBeenCalledTimes(2);
    await stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(count).toHaveBeenCalledTimes(2);
  });
  it('does not know what has no answer within 2 s, and knows it again at the next count', async () => {
    const answers = [
      new Promise<never>(() => undefined),
      Promise.resolve({ queued: 3, waitingEvents: 0, oldestDueSeconds: 4, openBreakers: 5 }),
    ];
    const counter = countSharedFigures(
      portsOf(() => answers.shift() ?? Promise.reject(new Error('away'))),
      storage,
      createLogger('silent'),
    );
    const stop = counter.start(judge);
    const queued: (number | null)[] = [];
    for (const ms of [2_000, 30_000, 30_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      queued.push(counter.latest().queued);
    }
    expect(queued).toEqual([null, 3, null]);
    expect(counter.latest().waitingJobs).toBe(0);
    await stop();
  });
});
