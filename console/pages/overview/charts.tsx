import { useMemo } from 'react';

import type { Stats } from '../../api/types.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Panel } from '../../parts/page.tsx';
import { STEP_SECONDS } from './ranges.ts';
import { everyStep } from './sums.ts';

const OUTCOMES = [
  { name: 'Delivered', key: 'delivered', colour: 'ok' },
  { name: 'Failed', key: 'failed', colour: 'bad' },
  { name: 'Dropped', key: 'dropped', colour: 'line-strong' },
] as const;

export const CLASSES = [
  { name: '2xx', key: '2xx', colour: 'ok' },
  { name: '3xx', key: '3xx', colour: 'info' },
  { name: '4xx', key: '4xx', colour: 'warn' },
  { name: '5xx', key: '5xx', colour: 'bad' },
  { name: 'No response', key: 'none', colour: 'line-strong' },
] as const;

/** Deliveries by what became of them, and attempts by what the receivers answered. */
export const Charts = ({ stats, rangeName }: { readonly stats: Stats; readonly rangeName: string }) => {
  const { at, outcomes, classes } = useMemo(() => {
    const steps = everyStep(stats);
    return {
      at: steps.map(({ second }) => second),
      outcomes: OUTCOMES.map(({ name, key, colour }) => ({ name, colour, values: steps.map((step) => step.deliveries[key]) })),
      classes: CLASSES.map(({ name, key, colour }) => ({ name, colour, values: steps.map((step) => step.attempts[key]) })),
    };
  }, [stats]);
  const stepSeconds = STEP_SECONDS[stats.step];
  const chart = (what: string, series: readonly Series[]) =>
    series.some(({ values }) => values.some((value) => (value ?? 0) > 0)) ? (
      <Chart label={`${what} in the last ${rangeName}`} at={at} stepSeconds={stepSeconds} series={series} />
    ) : (
      <Empty title={`None in the last ${rangeName}`} />
    );
  return (
    <div className="columns">
      <Panel title="Ended deliveries by outcome">{chart('Ended deliveries by outcome', outcomes)}</Panel>
      <Panel title="Attempts by status">{chart('Attempts by status', classes)}</Panel>
    </div>
  );
};
