import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What is read when somebody looks, not counted as it happens. */
export interface Figures {
  readonly waitingJobs: number;
  readonly queued: number;
  readonly oldestDueSeconds: number;
  readonly openBreakers: number;
  readonly openImports: number;
  readonly liveReaders: number;
  readonly slowLiveReaders: number;
  /** The pool of the requests: its connections, those that are idle, and the requests that wait for one. */
  readonly pool: { readonly open: number; readonly idle: number; readonly waiting: number };
}

/** The gauges, and how to set them from the figures. */
export const createGauges = (registry: Registry): ((figures: Figures) => void) => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const waitingJobs = gauge('tenon_queue_waiting_jobs', 'Coarse jobs that wait to begin.');
  const queued = gauge('tenon_webhook_deliveries_queued', 'Deliveries that wait to be sent.');
  const oldestDue = gauge('tenon_webhook_oldest_due_seconds', 'For how long the delivery that is due the longest has been due.');
  const openBreakers = gauge('tenon_webhook_open_breakers', 'Subscriptions whose breaker is open.');
  const liveReaders = gauge('tenon_live_readers', 'Readers of live streams on this node.');
  const slowLiveReaders = gauge('tenon_live_readers_slow', 'Readers of live streams on this node that miss items now.');
  const openImports = gauge('tenon_media_imports_open', 'Media imports that are queued or running.');
  const waiting = gauge('tenon_database_requests_waiting', 'Requests of this node that wait for a database connection.');
  const connections = new Gauge({
    name: 'tenon_database_connections',
    help: 'Database connections for requests of this node, by state: active or idle.',
    labelNames: ['state'] as const,
    registers: [registry],
  });
  return (figures) => {
    waitingJobs.set(figures.waitingJobs);
    queued.set(figures.queued);
    oldestDue.set(figures.oldestDueSeconds);
    openBreakers.set(figures.openBreakers);
    openImports.set(figures.openImports);
    liveReaders.set(figures.liveReaders);
    slowLiveReaders.set(figures.slowLiveReaders);
    const { open, idle, waiting: requests } = figures.pool;
    waiting.set(requests);
    connections.set({ state: 'active' }, open - idle);
    connections.set({ state: 'idle' }, idle);
  };
};
