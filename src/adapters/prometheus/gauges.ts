import { Gauge, type Registry, Counter } from 'prom-client';

import { INCIDENT_KINDS, type IncidentKind } from '../../domain/insight/incident-rules.ts';

/** State of the node and its storage at the last look. Null where it could not be read. */
interface StateFigures {
  /** The checks of /readyz, and whether each is ok. */
  readonly checks: Readonly<Record<string, boolean>> | null;
  /** The kinds of the open incidents, one for each. */
  readonly openIncidents: readonly IncidentKind[] | null;
  readonly clockSkewSeconds: number | null;
  /** Since the last backup by `tenon backup`. */
  readonly backupAgeSeconds: number | 'never' | null;
}

/** No alert takes what is not known for a number. */
const gaugeValue = (figure: number | null): number => figure ?? NaN;

const countOf = (kinds: readonly IncidentKind[], kind: IncidentKind): number => kinds.filter((one) => one === kind).length;

const createStateGauges = (registry: Registry): ((figures: StateFigures) => void) => {
  const checks = new Gauge({
    name: 'tenon_check_ok',
    help: 'The checks of /readyz: 1 if a check is ok, 0 if it is degraded or failing.',
    labelNames: ['check'] as const,
    registers: [registry],
  });
  const incidents = new Gauge({
    name: 'tenon_incidents_open',
    help: 'Open incidents, by kind.',
    labelNames: ['kind'] as const,
    registers: [registry],
  });
  const clockSkew = new Gauge({
    name: 'tenon_clock_skew_seconds',
    help: 'Seconds between the clocks of this machine and the database.',
    registers: [registry],
  });
  const backupAge = new Gauge({
    name: 'tenon_backup_age_seconds',
    help: 'Since the last backup of all stores by tenon backup. Absent where there is none.',
    registers: [registry],
  });
  // A gauge begins with 0.
  backupAge.remove();
  return (figures) => {
    for (const [check, isOk] of Object.entries(figures.checks ?? {})) checks.set({ check }, isOk ? 1 : 0);
    const { openIncidents } = figures;
    for (const kind of INCIDENT_KINDS) incidents.set({ kind }, gaugeValue(openIncidents && countOf(openIncidents, kind)));
    clockSkew.set(gaugeValue(figures.clockSkewSeconds));
    if (figures.backupAgeSeconds === 'never') backupAge.remove();
    else backupAge.set(gaugeValue(figures.backupAgeSeconds));
  };
};

/**
 * Latest counts that all nodes share: they are in the database, or in Redis. Null where a count
 * could not be read.
 */
export interface SharedFigures extends StateFigures {
  readonly waitingJobs: number | null;
  readonly queued: number | null;
  readonly waitingEvents: number | null;
  readonly oldestDueSeconds: number | null;
  readonly openBreakers: number | null;
  readonly openImports: number | null;
  /** Processes that do the background work, and tasks of theirs that have not succeeded for far longer than they should take. */
  readonly workers: number | null;
  readonly lateTasks: number | null;
  /** Standbys of the database that are connected, and those that are expected and are not. */
  readonly standbys: number | null;
  readonly standbysMissing: number | null;
  readonly replicationLagBytes: number | null;
}

export interface OwnFigures {
  /** Errors of outages since the process started. */
  readonly outageErrors: number;
  /** For how long the oldest request has had no answer. */
  readonly oldestRequestSeconds: number;
  readonly liveReaders: number;
  readonly slowLiveReaders: number;
  /** Renderings that this node keeps; hits and misses since it started. */
  readonly readCache: { readonly hits: number; readonly misses: number; readonly entries: number; readonly bytes: number };
  /** Host names of receivers and images: what runs and waits now, and how those since the start ended. */
  readonly names: { readonly open: number; readonly waiting: number; readonly ended: Readonly<Record<string, number>> };
  /** The pool of the requests: its connections, those that are idle, and the requests that wait for one. */
  readonly pool: { readonly open: number; readonly idle: number; readonly waiting: number };
}

/** Sources that are read for each scrape, and not counted during the work. */
export interface FigureSources {
  readonly own: () => OwnFigures;
  readonly shared: () => SharedFigures;
}

interface Gauges {
  setOwn(figures: OwnFigures): void;
  setShared(figures: SharedFigures): void;
}

/** The processes of a node report their maximum and not a sum. */
export const OLDEST_REQUEST = 'tenon_http_oldest_request_seconds';

export const createGauges = (registry: Registry): Gauges => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const waitingJobs = gauge('tenon_queue_waiting_jobs', 'Coarse jobs that wait to begin.');
  const queued = gauge('tenon_webhook_deliveries_queued', 'Deliveries that wait to be sent, counted up to 100,000.');
  const waitingEvents = gauge('tenon_webhook_events_waiting', 'Events that wait for their fan-out, counted up to 100,000.');
  const oldestDue = gauge(
    'tenon_webhook_oldest_due_seconds',
    'For how long the oldest delivery has been due, or the oldest event has waited for its fan-out.',
  );
  const openBreakers = gauge('tenon_webhook_open_breakers', 'Subscriptions whose breaker is open.');
  const oldestRequest = gauge(
    OLDEST_REQUEST,
    'For how long the oldest request has had no answer, beyond the time that it waits on purpose.',
  );
  const liveReaders = gauge('tenon_live_readers', 'Readers of live streams on this node.');
  const slowLiveReaders = gauge('tenon_live_readers_slow', 'Readers of live streams on this node that miss items now.');
  const openImports = gauge('tenon_media_imports_open', 'Media imports that are queued or running.');
  const workers = gauge('tenon_workers', 'Processes that do the background work, and were seen in the last minute.');
  const lateTasks = gauge('tenon_worker_tasks_late', 'Tasks of the workers that have not succeeded for minutes.');
  const standbys = gauge('tenon_database_standbys', 'Standbys that are connected to the primary.');
  const standbysMissing = gauge(
    'tenon_database_standbys_missing',
    'Standbys that commits wait for, or that have a replication slot, and that are not connected.',
  );
  const replicationLag = gauge(
    'tenon_database_replication_lag_bytes',
    'Write-ahead log that the standby furthest behind does not have on its disk.',
  );
  const kept = gauge('tenon_read_cache_entries', 'Rendered products and collections that this node keeps.');
  const keptBytes = gauge('tenon_read_cache_bytes', 'Memory of the rendered products and collections that this node keeps.');
  const reads = new Counter({
    name: 'tenon_read_cache_reads_total',
    help: 'Looks for a rendered product or collection, by outcome: hit or miss.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const outages = new Counter({
    name: 'tenon_outage_errors_total',
    help: 'Errors while the database, the queue or the storage was away, those included that the log leaves out.',
    registers: [registry],
  });
  const openNames = gauge('tenon_name_lookups_open', 'Look-ups of host names of receivers and images that run now.');
  const waitingNames = gauge(
    'tenon_name_lookups_waiting',
    'Host names that wait, because too many names of their app, or of all, are being looked up.',
  );
  const endedNames = new Counter({
    name: 'tenon_name_lookups_total',
    help: 'Look-ups of host names in the DNS, by outcome: found, not_found, failed, timed_out, or busy for a name that waited for too long.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const waiting = gauge('tenon_database_requests_waiting', 'Requests of this node that wait for a database connection.');
  const connections = new Gauge({
    name: 'tenon_database_connections',
    help: 'Database connections for requests of this node, by state: active or idle.',
    labelNames: ['state'] as const,
    registers: [registry],
  });
  const setState = createStateGauges(registry);
  return {
    setOwn: (figures) => {
      oldestRequest.set(figures.oldestRequestSeconds);
      liveReaders.set(figures.liveReaders);
      slowLiveReaders.set(figures.slowLiveReaders);
      const { hits, misses, entries, bytes } = figures.readCache;
      kept.set(entries);
      keptBytes.set(bytes);
      // The log and the cache count by themselves.
      outages.reset();
      outages.inc(figures.outageErrors);
      reads.reset();
      reads.inc({ outcome: 'hit' }, hits);
      reads.inc({ outcome: 'miss' }, misses);
      openNames.set(figures.names.open);
      waitingNames.set(figures.names.waiting);
      endedNames.reset();
      for (const [outcome, count] of Object.entries(figures.names.ended)) endedNames.inc({ outcome }, count);
      const { open, idle, waiting: requests } = figures.pool;
      waiting.set(requests);
      connections.set({ state: 'active' }, open - idle);
      connections.set({ state: 'idle' }, idle);
    },
    setShared: (figures) => {
      setState(figures);
      waitingJobs.set(gaugeValue(figures.waitingJobs));
      queued.set(gaugeValue(figures.queued));
      waitingEvents.set(gaugeValue(figures.waitingEvents));
      oldestDue.set(gaugeValue(figures.oldestDueSeconds));
      openBreakers.set(gaugeValue(figures.openBreakers));
      openImports.set(gaugeValue(figures.openImports));
      workers.set(gaugeValue(figures.workers));
      lateTasks.set(gaugeValue(figures.lateTasks));
      standbys.set(gaugeValue(figures.standbys));
      standbysMissing.set(gaugeValue(figures.standbysMissing));
      replicationLag.set(gaugeValue(figures.replicationLagBytes));
    },
  };
};
