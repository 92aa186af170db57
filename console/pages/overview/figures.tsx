import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Stats } from '../../api/types.ts';
import { percentileOf } from '../../../src/adapters/http/console/shared.ts';
import { durationText } from './percentile.ts';
import { spanText } from '../../parts/time-words.ts';
import { attentionQuery } from './queries.ts';
import { sumsOf } from './sums.ts';

interface FigureProps {
  readonly name: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

export const Figure = ({ name, note, children }: FigureProps) => (
  <div className="figure">
    <dt>{name}</dt>
    <dd>
      {children} {note !== undefined && <small>{note}</small>}
    </dd>
  </div>
);

export const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** Never 100 % while something failed. */
export const rateText = (succeeded: number, attempts: number): ReactNode => {
  if (attempts === 0) return <small>none yet</small>;
  const rate = succeeded / attempts;
  return percent.format(succeeded < attempts ? Math.min(rate, 0.9999) : rate);
};

const failedText = (failed: number, attempts: number): string =>
  failed === 0 ? 'none failed' : `${failed.toLocaleString()} of ${attempts.toLocaleString()} failed`;

/** An event is usually sent within a second: what is older than this waits for something. */
export const OLD_SECONDS = 60;

/** Queued deliveries of now. The range of the page does not apply. */
const Waiting = ({ storeId }: { readonly storeId: string }) => {
  const { data, error } = useQuery(attentionQuery(storeId));
  if (!data || error !== null) return <Figure name="Waiting now">–</Figure>;
  const { count, isComplete, oldest } = data.waiting;
  if (oldest === null) return <Figure name="Waiting now">0</Figure>;
  return (
    <Figure name="Waiting now" note={`oldest ${spanText(oldest.secondsOld)}`}>
      <Link
        to="/stores/$storeId/deliveries"
        params={{ storeId }}
        search={{ status: ['Waiting', 'Retrying'] }}
        className={oldest.secondsOld > OLD_SECONDS ? 'tone-warn' : undefined}
      >
        {count.toLocaleString()}
        {isComplete ? '' : '+'}
      </Link>
    </Figure>
  );
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

export const Figures = ({ storeId, stats }: { readonly storeId: string; readonly stats: Stats }) => {
  const { succeeded, attempts, delivered, failed, refusals, latency, firstAttempt } = sumsOf(stats);
  return (
    <dl className="panel figures">
      <Figure name="Attempts that succeeded" note={attempts > 0 ? failedText(attempts - succeeded, attempts) : undefined}>
        {rateText(succeeded, attempts)}
      </Figure>
      <Waiting storeId={storeId} />
      <Figure name="Delivered" note={failed > 0 ? `${failed.toLocaleString()} failed for good` : 'none failed for good'}>
        {delivered.toLocaleString()}
      </Figure>
      <Times name="Commit to first attempt" counts={firstAttempt} boundsMs={stats.firstAttemptBoundsMs} />
      <Times name="Receiver’s answer" counts={latency} boundsMs={stats.latencyBoundsMs} />
      <Figure name="Requests refused">{refusals.toLocaleString()}</Figure>
    </dl>
  );
};
