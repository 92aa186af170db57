import { AggregatorRegistry } from 'prom-client';

import { OLDEST_REQUEST } from './gauges.ts';
import type { MetricFamily, MetricsSnapshot } from './metrics.ts';

/** Metrics of a single process, such as its memory: not meaningful when summed. */
const OF_A_PROCESS = /^(?:process|nodejs)_/;
/** Metrics that are not summed. The build is the same in every process. */
const AGGREGATORS: Readonly<Record<string, 'first' | 'max'>> = { tenon_build_info: 'first', [OLDEST_REQUEST]: 'max' };

type ProcessName = 'primary' | number;

const named = (process: ProcessName, snapshot: MetricsSnapshot): MetricsSnapshot =>
  snapshot.map((family) =>
    OF_A_PROCESS.test(family.name)
      ? { ...family, values: family.values.map((value) => ({ ...value, labels: { process: String(process), ...value.labels } })) }
      : family,
  );

const summed = (snapshots: readonly MetricsSnapshot[]) =>
  AggregatorRegistry.aggregate(
    snapshots.map((snapshot) => snapshot.map((family) => ({ ...family, aggregator: AGGREGATORS[family.name] ?? 'sum' }))),
  );

/** Counters continue after their process has ended. */
const isCounted = ({ name, type }: MetricFamily): boolean =>
  !OF_A_PROCESS.test(name) && (type === 'counter' || type === 'histogram');

/**
 * The metrics of a node of several processes. Counters and gauges of Tenon are summed;
 * of the oldest requests, the oldest counts. What
 * prom-client measures of a process has the label `process`.
 */
export class AggregateMetrics {
  readonly #latest = new Map<number, MetricsSnapshot>();
  /**
   * Counters of ended processes. Without them a sum would fall, and Prometheus would take that for
   * a restart.
   */
  #ended: MetricsSnapshot = [];

  /** The text of all. A process that did not answer is counted as it was before, without its own figures. */
  text(primary: MetricsSnapshot, answers: ReadonlyMap<number, MetricsSnapshot>): Promise<string> {
    for (const [process, snapshot] of answers) this.#latest.set(process, snapshot);
    const others = [...this.#latest].map(([process, snapshot]) =>
      answers.has(process) ? named(process, snapshot) : snapshot.filter(isCounted),
    );
    return summed([named('primary', primary), ...others, this.#ended]).metrics();
  }

  end(process: number): void {
    const counted = this.#latest.get(process)?.filter(isCounted) ?? [];
    this.#latest.delete(process);
    this.#ended = summed([this.#ended, counted]).getMetricsAsArray() as object as MetricsSnapshot;
  }
}
