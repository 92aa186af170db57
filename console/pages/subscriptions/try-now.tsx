import { Zap } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { AttemptNow } from '../../api/types.ts';
import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useAction } from '../../parts/use-action.ts';
import { attemptError, errorName } from '../deliveries/words.ts';
import { RECEIVER_CHANGES } from './queries.ts';

/** Describes the result of an attempt. */
const triedText = (made: AttemptNow): string => {
  const answer = made.status === null ? errorName(attemptError(made)) : `the receiver answered ${String(made.status)}`;
  if (made.outcome === 'delivered')
    return `Delivered: ${answer}, after ${made.durationMs.toLocaleString()} ms. What waits is sent now.`;
  return made.outcome === 'retry'
    ? `Not delivered: ${answer}. It is tried again later.`
    : `Not delivered: ${answer}. It was the last attempt.`;
};

/** Makes one attempt, and says what came of it. */
export const TryNow = ({ storeId, id }: { readonly storeId: string; readonly id: string }) => {
  const toast = useToast();
  const tryNow = useAction({
    act: () => api.post<AttemptNow>(`${paths.receiver(storeId, id)}/try`),
    onDone: (made) => toast(made.outcome === 'delivered' ? 'ok' : 'bad', triedText(made)),
    changes: RECEIVER_CHANGES,
  });
  return (
    <button
      type="button"
      className="button primary"
      disabled={tryNow.isPending}
      onClick={() => tryNow.mutate(undefined, { onError: (error) => toast('bad', messageOf(error)) })}
    >
      <Zap size={15} aria-hidden /> {tryNow.isPending ? 'Trying' : 'Try now'}
    </button>
  );
};
