import { Link } from '@tanstack/react-router';

import type { ReceiverFigures } from '../../api/types.ts';
import { spanText } from '../../parts/time-words.ts';
import { Ago } from '../../parts/time.tsx';
import { Figure, OLD_SECONDS, rateText } from '../overview/figures.tsx';
import { durationText } from '../overview/percentile.ts';
import { countOf } from '../overview/ranges.ts';

interface NumbersProps {
  readonly storeId: string;
  readonly subscriptionId: string;
  readonly figures: ReceiverFigures;
}

/** The range in a few numbers, and what waits now. */
export const ReceiverNumbers = ({ storeId, subscriptionId, figures }: NumbersProps) => {
  const { waiting, answers, p50, p95, steps } = figures;
  const attempts = steps.reduce((sum, step) => sum + countOf(step.attempts), 0);
  const succeeded = steps.reduce((sum, step) => sum + step.attempts['2xx'], 0);
  const failed = attempts - succeeded;
  return (
    <dl className="panel figures">
      <Figure name="Attempts that succeeded" note={failed > 0 ? `${failed.toLocaleString()} failed` : undefined}>
        {rateText(succeeded, attempts)}
      </Figure>
      <Figure name="Attempts">{attempts.toLocaleString()}</Figure>
      <Figure name="Receiver’s answer" note={p95 === null ? undefined : `p50, ${durationText(p95)} p95`}>
        {p50 === null ? <small>none yet</small> : durationText(p50)}
      </Figure>
      <Figure name="Waiting now" note={waiting.oldest === null ? undefined : `oldest ${spanText(waiting.oldest.secondsOld)}`}>
        {waiting.count === 0 ? (
          '0'
        ) : (
          <Link
            to="/stores/$storeId/deliveries"
            params={{ storeId }}
            search={{ subscription: subscriptionId, status: ['Waiting', 'Retrying'] }}
            className={waiting.oldest !== null && waiting.oldest.secondsOld > OLD_SECONDS ? 'tone-warn' : undefined}
          >
            {waiting.count.toLocaleString()}
            {waiting.isComplete ? '' : '+'}
          </Link>
        )}
      </Figure>
      <Figure name="Last failure">
        {answers.lastFailure === null ? <small>none</small> : <Ago at={answers.lastFailure.at} />}
      </Figure>
    </dl>
  );
};
