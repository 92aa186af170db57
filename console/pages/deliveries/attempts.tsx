import type { Attempt } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Code } from '../../parts/json.tsx';
import { Ago } from '../../parts/time.tsx';
import { ERRORS } from './words.ts';

const One = ({ attempt }: { readonly attempt: Attempt }) => {
  const { number, startedAt, durationMs, status, address, error, response } = attempt;
  return (
    <li className={status !== null && status < 300 && error === null ? 'ok' : 'bad'}>
      <div className="row">
        <strong>Attempt {number}</strong>
        <StatusBadge status={status} />
        {error !== null && <span className="tone-bad">{ERRORS[error].name}</span>}
        <span className="mute">
          {durationMs} ms{address !== null && ` · ${address}`} · <Ago at={startedAt} />
        </span>
      </div>
      {response !== null && response !== '' && (
        <details>
          <summary>Response</summary>
          <Code text={response} what={`the response to attempt ${number}`} />
        </details>
      )}
    </li>
  );
};

/** The attempts of a delivery on a time line, the newest first. */
export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => {
  if (attempts.length === 0)
    return <Empty title="No attempt yet">The first one is made as soon as the subscription may receive.</Empty>;
  return (
    <ol className="timeline">
      {[...attempts].reverse().map((attempt) => (
        <One key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  );
};
