import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ComponentProps } from 'react';

import type { CallFigures, Stats } from '../../api/types.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Panel } from '../../parts/page.tsx';
import { percentileOf } from '../../../src/adapters/http/console/shared.ts';
import { msText } from './percentile.ts';
import { everyStep, STEP_SECONDS } from './ranges.ts';
import { NOTHING } from './sums.ts';

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

type Times = Pick<CallFigures, 'p50' | 'p95'>;

/** The lines of p50 and p95, with gaps where nothing was timed. */
export const timesSeries = (steps: readonly Times[]): readonly Series[] => [
  { name: 'p50', colour: 'info', values: steps.map(({ p50 }) => p50?.ms ?? null) },
  { name: 'p95', colour: 'warn', values: steps.map(({ p95 }) => p95?.ms ?? null) },
];

const TIMES = 'Median and 95th percentile of the time to answer';

interface TimesProps extends Omit<ComponentProps<typeof Chart>, 'label' | 'kind' | 'unit'> {
  readonly rangeName: string;
}

/** The lines of `timesSeries`. */
export const TimesChart = ({ rangeName, ...drawn }: TimesProps) => (
  <Chart label={`${TIMES} in the last ${rangeName}`} kind="lines" unit={msText} {...drawn} />
);

/** The steps count what ended or was tried in them, and the deliveries are found by when they were created. */
export const PICK_TITLE = 'Click: the deliveries created in this step';

const timeOf = (second: number): string => new Date(second * 1000).toISOString();

interface ChartsProps {
  readonly storeId: string;
  readonly stats: Stats;
  readonly rangeName: string;
}

/**
 * Deliveries by what became of them, attempts by what the receivers answered, and how long they took. A click on a step
 * leads to the deliveries that were created in it.
 */
export const Charts = ({ storeId, stats, rangeName }: ChartsProps) => {
  const navigate = useNavigate();
  const { at, outcomes, classes, times } = useMemo(() => {
    const steps = everyStep(stats, NOTHING);
    const timesOf = (part: number) => steps.map(({ latency }) => percentileOf(latency, stats.latencyBoundsMs, part)?.ms ?? null);
    return {
      at: steps.map(({ second }) => second),
      outcomes: OUTCOMES.map(({ name, key, colour }) => ({ name, colour, values: steps.map((step) => step.deliveries[key]) })),
      classes: CLASSES.map(({ name, key, colour }) => ({ name, colour, values: steps.map((step) => step.attempts[key]) })),
      times: [
        { name: 'p50', colour: 'info', values: timesOf(0.5) },
        { name: 'p95', colour: 'warn', values: timesOf(0.95) },
      ],
    };
  }, [stats]);
  const stepSeconds = STEP_SECONDS[stats.step];
  const onPick = (second: number): void =>
    void navigate({
      to: '/stores/$storeId/deliveries',
      params: { storeId },
      search: { since: timeOf(second), until: timeOf(second + stepSeconds) },
    });
  const chart = (what: string, series: readonly Series[], more: Pick<ComponentProps<typeof Chart>, 'kind' | 'unit'> = {}) =>
    series.some(({ values }) => values.some((value) => (value ?? 0) > 0)) ? (
      <Chart
        label={`${what} in the last ${rangeName}`}
        at={at}
        stepSeconds={stepSeconds}
        series={series}
        onPick={onPick}
        pickTitle={PICK_TITLE}
        {...more}
      />
    ) : (
      <Empty title={`None in the last ${rangeName}`} />
    );
  return (
    <div className="columns">
      <Panel title="Ended deliveries by outcome">{chart('Ended deliveries by outcome', outcomes)}</Panel>
      <Panel title="Attempts by status">{chart('Attempts by status', classes)}</Panel>
      <Panel title="Time to answer">{chart(TIMES, times, { kind: 'lines', unit: msText })}</Panel>
    </div>
  );
};
