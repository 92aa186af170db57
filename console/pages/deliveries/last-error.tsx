import type { Delivery } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { ERRORS } from './words.ts';

interface LastErrorProps {
  readonly error: Delivery['error'];
  readonly status: number | null;
}

/** Why the last attempt failed: the status first, where the receiver answered. */
export const LastError = ({ error, status }: LastErrorProps) => {
  if (error === null) return <span className="mute">–</span>;
  const isAnswer = status !== null && error.startsWith('http_');
  return (
    <span className="row nowrap">
      {isAnswer && <StatusBadge status={status} />}
      <span className="clip mute" title={ERRORS[error].name}>
        {isAnswer ? ERRORS[error].short : ERRORS[error].name}
      </span>
    </span>
  );
};
