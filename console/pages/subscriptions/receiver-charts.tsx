import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { ReceiverFigures } from '../../api/types.ts';
import { Chart } from '../../parts/chart.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Panel } from '../../parts/page.tsx';
import { CLASSES, PICK_TITLE, TimesChart, timesSeries } from '../overview/charts.tsx';
import { countOf, everyStep, NO_ANSWERS, RANGES, STEP_SECONDS, type RangeName } from '../overview/ranges.ts';

interface ChartsProps {
  readonly storeId: string;
  readonly subscriptionId: string;
  readonly figures: ReceiverFigures;
  readonly range: RangeName;
}

const NOTHING = { deliveries: { delivered: 0, failed: 0, dropped: 0 }, attempts: NO_ANSWERS, p50: null, p95: null };

const percentText = (value: number): string => `${Math.round(value).toLocaleString()} %`;
const timeOf = (second: number): string => new Date(second * 1000).toISOString();

/** Rate, success and times of the attempts. A click on a step leads to the deliveries created in it. */
export const ReceiverCharts = ({ storeId, subscriptionId, figures, range }: ChartsProps) => {
  const navigate = useNavigate();
  const { at, classes, success, times } = useMemo(() => {
    const steps = everyStep(figures, NOTHING);
    const rateOf = (step: (typeof steps)[number]): number | null => {
      const made = countOf(step.attempts);
      return made === 0 ? null : (100 * step.attempts['2xx']) / made;
    };
    return {
      at: steps.map(({ second }) => second),
      classes: CLASSES.map(({ name, key, colour }) => ({ name, colour, values: steps.map((step) => step.attempts[key]) })),
      success: [{ name: 'Attempts that succeeded', colour: 'ok', values: steps.map(rateOf) }],
      times: timesSeries(steps),
    };
  }, [figures]);
  const rangeName = RANGES[range].name;
  const stepSeconds = STEP_SECONDS[figures.step];
  const search = { subscription: subscriptionId, since: figures.from, until: figures.to };
  if (figures.steps.every((step) => countOf(step.attempts) === 0)) {
    return (
      <div className="panel">
        <Empty title={`No attempt in the last ${rangeName}`}>Choose Try now to make one.</Empty>
      </div>
    );
  }
  const shared = {
    at,
    stepSeconds,
    pickTitle: PICK_TITLE,
    onPick: (second: number) =>
      void navigate({
        to: '/stores/$storeId/deliveries',
        params: { storeId },
        search: { subscription: subscriptionId, since: timeOf(second), until: timeOf(second + stepSeconds) },
      }),
  };
  const all = (
    <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={search} className="button small">
      Deliveries created then
    </Link>
  );
  return (
    <div className="columns">
      <Panel title="Attempts by status" actions={all}>
        <Chart label={`Attempts by status in the last ${rangeName}`} series={classes} {...shared} />
      </Panel>
      <Panel title="Success">
        <Chart
          label={`Share of attempts that succeeded in the last ${rangeName}`}
          kind="lines"
          series={success}
          top={100}
          unit={percentText}
          {...shared}
        />
      </Panel>
      <Panel title="Time to answer">
        <TimesChart rangeName={rangeName} series={times} {...shared} />
      </Panel>
    </div>
  );
};
