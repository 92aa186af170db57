import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What all nodes have in common: it is in the database. */
export interface SharedFigures {
  readonly waitingJobs: number;
  readonly queued: number;
  readonly oldestDueSeconds: number;
  readonly openBreakers: number;
  readonly openImports: number;
}

/** What a process has itself. */
export interface OwnFigures {
  readonly liveReaders: number;
  readonly slowLiveReaders: number;
  /** Renderings that this node keeps; hits and misses since it started. */
  readonly readCache: { readonly hits: number; readonly misses: number; readonly entries: number; readonly bytes: number };
  /** The pool of the requests: its connections, those that are idle, and the requests that wait for one. */
  readonly pool: { readonly open: number; readonly idle: number; readonly waiting: number };
}

/** What is read when somebody looks, not counted as it happens. */
export interface FigureSources {
  readonly own: () => OwnFigures;
  readonly shared: () => Promise<SharedFigures>;
}

export interface Gauges {
  setOwn(figures: OwnFigures): void;
  setShared(figures: SharedFigures): void;
}

/** The gauges, and how to set them from the figures. */
export const createGauges = (registry: Registry): Gauges => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const waitingJobs = gauge('tenon_queue_waiting_jobs', 'Coarse jobs that wait to begin.');
  const queued = gauge('tenon_webhook_deliveries_queued', 'Deliveries that wait to be sent.');
  const oldestDue = gauge('tenon_webhook_oldest_due_seconds', 'For how long the delivery that is due the longest has been due.');
  const openBreakers = gauge('tenon_webhook_open_breakers', 'Subscriptions whose breaker is open.');
  const liveReaders = gauge('tenon_live_readers', 'Readers of live streams on this node.');
  const slowLiveReaders = gauge('tenon_live_readers_slow', 'Readers of live streams on this node that miss items now.');
  const openImports = gauge('tenon_media_imports_open', 'Media imports that are queued or running.');
  const kept = gauge('tenon_read_cache_entries', 'Rendered products and collections that this node keeps.');
  const keptBytes = gauge('tenon_read_cache_bytes', 'Memory of the rendered products and collections that this node keeps.');
  const reads = new Counter({
    name: 'tenon_read_cache_reads_total',
    help: 'Looks for a rendered product or collection, by outcome: hit or miss.',
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
  return {
    setOwn: (figures) => {
      liveReaders.set(figures.liveReaders);
      slowLiveReaders.set(figures.slowLiveReaders);
      const { hits, misses, entries, bytes } = figures.readCache;
      kept.set(entries);
      keptBytes.set(bytes);
      // The cache counts by itself.
      reads.reset();
      reads.inc({ outcome: 'hit' }, hits);
      reads.inc({ outcome: 'miss' }, misses);
      const { open, idle, waiting: requests } = figures.pool;
      waiting.set(requests);
      connections.set({ state: 'active' }, open - idle);
      connections.set({ state: 'idle' }, idle);
    },
    setShared: (figures) => {
      waitingJobs.set(figures.waitingJobs);
      queued.set(figures.queued);
      oldestDue.set(figures.oldestDueSeconds);
      openBreakers.set(figures.openBreakers);
      openImports.set(figures.openImports);
    },
  };
};
