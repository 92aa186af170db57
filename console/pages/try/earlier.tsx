import { StatusBadge } from '../../parts/badge.tsx';
import { isReplay } from './answer.tsx';
import type { Answer } from './send.ts';

/** Only of a call with a key: whether it did the work. */
const becameOf = (answer: Answer): string => {
  if (isReplay(answer)) return ' · replayed';
  return answer.call.headers['Idempotency-Key'] !== undefined && answer.status < 300 ? ' · did the work' : '';
};

/** The answers before the one that is shown, the newest first: a replay beside the work that it repeats. */
export const Earlier = ({ answers }: { readonly answers: readonly Answer[] }) => (
  <section className="stack">
    <h3>Before</h3>
    <ol className="stack" style={{ gap: 6 }}>
      {answers.map((answer, index) => (
        <li key={answers.length - index} className="row">
          <StatusBadge status={answer.status} />
          <span className="mute num">
            {answer.durationMs.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms{becameOf(answer)}
          </span>
          <code className="mute">{answer.call.headers['Idempotency-Key']}</code>
        </li>
      ))}
    </ol>
  </section>
);
