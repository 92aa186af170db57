import { useQuery } from '@tanstack/react-query';

import { CircleCheck, X } from '../../icons/index.ts';
import type { Redelivery } from '../../api/types.ts';
import { Found } from '../../parts/found.tsx';
import { redeliveryQuery } from './queries.ts';
import { deliveriesText } from './words.ts';
import { plural } from '../../parts/plural.ts';

/** The API counts no further. */
const MOST_COUNTED = 100_000;

const runningText = ({ sent, skipped, total }: Redelivery): string => {
  const of = total === null ? `at least ${deliveriesText(MOST_COUNTED)}` : deliveriesText(total);
  return `Queued again: ${(sent + skipped).toLocaleString()} of ${of}`;
};

const finishedText = ({ sent, skipped }: Redelivery): string => {
  const text = `${deliveriesText(sent)} queued again. Their status below says what became of them.`;
  if (skipped === 0) return text;
  return `${text} ${plural(skipped, 'was', 'were')} left out: changed since the request, or cannot be sent again.`;
};

interface ProgressProps {
  readonly redeliveryId: string;
  readonly onClose: () => void;
}

/** How far "Send all again" is. It continues on the server when the page is closed. */
export const RedeliveryProgress = ({ redeliveryId, onClose }: ProgressProps) => {
  const found = useQuery(redeliveryQuery(redeliveryId));
  return (
    <Found query={found} lines={1}>
      {(redelivery) => (
        <section className="panel sending" aria-label="Redelivery">
          <div className="row">
            {redelivery.isFinished && <CircleCheck size={17} className="tone-ok" aria-hidden />}
            <span className="grow num" role={redelivery.isFinished ? 'status' : undefined}>
              {redelivery.isFinished ? finishedText(redelivery) : runningText(redelivery)}
            </span>
            <button type="button" className="icon-button" onClick={onClose} aria-label="Close the progress">
              <X size={16} aria-hidden />
            </button>
          </div>
          {!redelivery.isFinished && (
            <progress
              className="progress"
              aria-label="Deliveries queued again"
              max={Math.max(redelivery.total ?? MOST_COUNTED, 1)}
              value={redelivery.sent + redelivery.skipped}
            />
          )}
        </section>
      )}
    </Found>
  );
};
