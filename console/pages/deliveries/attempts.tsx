import type { Attempt, DeliveryDetail } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Code } from '../../parts/json.tsx';
import { Due, Time } from '../../parts/time.tsx';
import { SentRequest } from './sent-request.tsx';
import { attemptError, ERRORS } from './words.ts';

interface OneProps {
  readonly attempt: Attempt;
  /** False where the attempt above had the same error, and so the same remedy. */
  readonly hasHelp: boolean;
  readonly isNewest: boolean;
}

export const OneAttempt = ({ attempt, hasHelp, isNewest }: OneProps) => {
  const { number, startedAt, durationMs, status, address, response, request } = attempt;
  const error = attemptError(attempt);
  return (
    <li className={error === null ? 'ok' : 'bad'}>
      <div className="row">
        <strong>Attempt {number}</strong>
        <StatusBadge status={status} />
        <span className="mute num">
          <Time at={startedAt} /> · {durationMs.toLocaleString()} ms{address !== null && ` · ${address}`}
        </span>
      </div>
      {error !== null && (hasHelp || status === null) && (
        <p>
          <span className="tone-bad">{ERRORS[error].name}.</span> {hasHelp && <span className="mute">{ERRORS[error].help}</span>}
        </p>
      )}
      {response !== null && response !== '' && (
        <details open={isNewest && error !== null}>
          <summary>Response</summary>
          <Code text={response} what={`the response to attempt ${number}`} />
        </details>
      )}
      {request !== null && <SentRequest request={request} number={number} />}
    </li>
  );
};

const Next = ({ delivery: { status, nextAttemptAt } }: { readonly delivery: DeliveryDetail }) => {
  // The top of the drawer says why a delivery waits.
  if (status !== 'Retrying' || nextAttemptAt === null) return null;
  return (
    <li className="next">
      <div className="row">
        <strong>Next attempt</strong>
        <span className="mute">
          <Due at={nextAttemptAt} />
        </span>
      </div>
    </li>
  );
};

/** The attempts of a delivery on a time line, the newest first. */
export const Attempts = ({ delivery }: { readonly delivery: DeliveryDetail }) => {
  const attempts = [...delivery.log].reverse();
  if (attempts.length === 0) {
    if (delivery.status !== 'Waiting') return <p className="mute">None was made.</p>;
    return <Empty title="No attempt yet">The first attempt is made as soon as the receiver can be sent to.</Empty>;
  }
  return (
    <ol className="timeline">
      <Next delivery={delivery} />
      {attempts.map((attempt, index) => {
        const above = attempts[index - 1];
        // The notice at the top of the drawer has the remedy of the newest.
        const said = above ? attemptError(above) : delivery.error;
        return (
          <OneAttempt
            key={attempt.number}
            attempt={attempt}
            hasHelp={delivery.status === 'Waiting' && !above ? true : attemptError(attempt) !== said}
            isNewest={!above}
          />
        );
      })}
    </ol>
  );
};
