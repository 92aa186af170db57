import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { CallFigures } from '../../api/types.ts';
import { Chart } from '../../parts/chart.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { CLASSES, TimesChart, timesSeries } from '../overview/charts.tsx';
import { Figure, percent } from '../overview/figures.tsx';
import { durationText } from '../overview/percentile.ts';
import { RangeChoice } from '../overview/range-choice.tsx';
import { countOf, everyStep, NO_ANSWERS, RANGES, STEP_SECONDS, type RangeName } from '../overview/ranges.ts';
import { callsQuery } from './queries.ts';

const NOTHING = { answers: NO_ANSWERS, p50: null, p95: null };

/** An answer that never ended was not the server's doing. */
const NAMES = { none: 'The app left' } as const;

const sharedOf = (count: number, calls: number): string | undefined => (count === 0 ? undefined : percent.format(count / calls));

const CallNumbers = ({ figures }: { readonly figures: CallFigures }) => {
  const { steps, p50, p95 } = figures;
  const sumOf = (name: keyof typeof NO_ANSWERS): number => steps.reduce((sum, { answers }) => sum + answers[name], 0);
  const calls = steps.reduce((sum, { answers }) => sum + countOf(answers), 0);
  const [refused, failed] = [sumOf('4xx'), sumOf('5xx')];
  return (
    <dl className="figures">
      <Figure name="Calls">{calls.toLocaleString()}</Figure>
      <Figure name="Refused (4xx)" note={sharedOf(refused, calls)}>
        {refused.toLocaleString()}
      </Figure>
      <Figure name="Errors (5xx)" note={sharedOf(failed, calls)}>
        {failed.toLocaleString()}
      </Figure>
      <Figure name="Time to answer" note={p95 === null ? undefined : `p50, ${durationText(p95)} p95`}>
        {p50 === null ? <small>none yet</small> : durationText(p50)}
      </Figure>
    </dl>
  );
};

const CallCharts = ({ figures, range }: { readonly figures: CallFigures; readonly range: RangeName }) => {
  const { at, classes, times } = useMemo(() => {
    const steps = everyStep(figures, NOTHING);
    return {
      at: steps.map(({ second }) => second),
      classes: CLASSES.map(({ name, key, colour }) => ({
        name: key === 'none' ? NAMES.none : name,
        colour,
        values: steps.map(({ answers }) => answers[key]),
      })),
      times: timesSeries(steps),
    };
  }, [figures]);
  const shared = { at, stepSeconds: STEP_SECONDS[figures.step] };
  const rangeName = RANGES[range].name;
  return (
    <div className="columns">
      <Chart label={`Calls by the status of their answer in the last ${rangeName}`} series={classes} {...shared} />
      <TimesChart rangeName={rangeName} series={times} {...shared} />
    </div>
  );
};

interface CallsProps {
  readonly appId: string;
  readonly range: RangeName;
  readonly onRange: (range: RangeName) => void;
}

/** How many calls an app makes, how they are answered, and how fast. */
export const Calls = ({ appId, range, onRange }: CallsProps) => {
  const found = useQuery(callsQuery(appId, range));
  return (
    <Panel title="Calls" actions={<RangeChoice chosen={range} onChange={onRange} />}>
      <Found query={found} lines={5}>
        {(figures) =>
          figures.steps.length === 0 ? (
            <Empty title={`No call in the last ${RANGES[range].name}`} />
          ) : (
            <>
              <CallNumbers figures={figures} />
              <CallCharts figures={figures} range={range} />
            </>
          )
        }
      </Found>
    </Panel>
  );
};
