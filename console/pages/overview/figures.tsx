import type { ReactNode } from 'react';

import type { Stats } from '../../api/types.ts';
import { durationText, percentileOf } from './percentile.ts';
import { sumsOf } from './sums.ts';

interface FigureProps {
  readonly name: string;
  readonly note?: string;
  readonly children: ReactNode;
}

const Figure = ({ name, note, children }: FigureProps) => (
  <div className="figure">
    <dt>{name}</dt>
    <dd>
      {children} {note !== undefined && <small>{note}</small>}
    </dd>
  </div>
);

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** Never 100 % while something failed. */
const rateText = (delivered: number, failed: number): ReactNode => {
  if (delivered + failed === 0) return <small>none yet</small>;
  const rate = delivered / (delivered + failed);
  return percent.format(failed > 0 ? Math.min(rate, 0.9999) : rate);
};

interface TimesProps {
  readonly name: string;
  readonly counts: readonly number[];
  readonly boundsMs: readonly number[];
}

/** Half of the times, and what 95 % of them did not exceed. */
const Times = ({ name, counts, boundsMs }: TimesProps) => {
  const [half, most] = [percentileOf(counts, boundsMs, 0.5), percentileOf(counts, boundsMs, 0.95)];
  if (half === null || most === null)
    return (
      <Figure name={name}>
        <small>none yet</small>
      </Figure>
    );
  return (
    <Figure name={name} note={`p50, ${durationText(most)} p95`}>
      {durationText(half)}
    </Figure>
  );
};

/** The range in a few numbers. */
export const Figures = ({ stats }: { readonly stats: Stats }) => {
  const { delivered, failed, refusals, latency, firstAttempt } = sumsOf(stats);
  return (
    <dl className="panel figures">
      <Figure name="Success rate">{rateText(delivered, failed)}</Figure>
      <Figure name="Delivered" note={failed > 0 ? `${failed.toLocaleString()} failed` : 'none failed'}>
        {delivered.toLocaleString()}
      </Figure>
      <Times name="Commit to first attempt" counts={firstAttempt} boundsMs={stats.firstAttemptBoundsMs} />
      <Times name="Receiver’s answer" counts={latency} boundsMs={stats.latencyBoundsMs} />
      <Figure name="Requests refused">{refusals.toLocaleString()}</Figure>
    </dl>
  );
};
