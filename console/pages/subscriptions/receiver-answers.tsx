import { Link } from '@tanstack/react-router';

import type { ReceiverFigures } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Claim } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { attemptError, ERRORS } from '../deliveries/words.ts';

interface AnswersProps {
  readonly storeId: string;
  readonly subscriptionId: string;
  readonly figures: ReceiverFigures;
}

/** Counts the receiver's answers by status and error. */
export const ReceiverAnswers = ({ storeId, subscriptionId, figures: { answers, from, to } }: AnswersProps) => {
  const total = answers.items.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title="Answers" isFlush>
      {answers.items.length === 0 && (
        <Claim>
          <p className="body mute">No attempt in this time.</p>
        </Claim>
      )}
      <ul className="lines">
        {answers.items.map(({ status, error, count }) => {
          const failure = attemptError({ status, error });
          return (
            <li key={`${String(status)} ${String(error)}`}>
              <StatusBadge status={status} />
              <span className="grow">
                {failure === null ? (
                  'Delivered'
                ) : (
                  <Link
                    to="/stores/$storeId/deliveries"
                    params={{ storeId }}
                    search={{ subscription: subscriptionId, errors: failure, since: from, until: to }}
                  >
                    {ERRORS[failure].name}
                  </Link>
                )}
              </span>
              <span className="num">
                {count.toLocaleString()} <span className="mute">{Math.round((100 * count) / total)} %</span>
              </span>
            </li>
          );
        })}
      </ul>
      {!answers.isComplete && (
        <p className="body mute">Of the newest {answers.deliveries.toLocaleString()} deliveries in this time.</p>
      )}
    </Panel>
  );
};
