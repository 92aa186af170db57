import type { Delivery } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { None } from '../../parts/table.tsx';
import { ERRORS } from './words.ts';

/** Shows the last response and its time; without a response, the error. */
export const LastAnswer = ({ delivery }: { readonly delivery: Pick<Delivery, 'error' | 'responseStatus' | 'responseMs'> }) => {
  const { error, responseStatus: status, responseMs: ms } = delivery;
  if (error === null && status === null) return <None />;
  const isAnswer = status !== null && (error === null || error.startsWith('http_'));
  const why = error === null ? '' : isAnswer ? ERRORS[error].short : ERRORS[error].name;
  return (
    <div className="row nowrap">
      {isAnswer && <StatusBadge status={status} />}
      <div className="answer mute" title={error === null ? undefined : ERRORS[error].name}>
        {why}
        {ms !== null && <div className="num">{ms.toLocaleString()} ms</div>}
      </div>
    </div>
  );
};
