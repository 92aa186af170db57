import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';

import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { redeliver } from './queries.ts';

/** Requests at the same time. */
const AT_ONCE = 5;

interface Sent {
  readonly count: number;
  /** Why the first of those that were refused was. */
  readonly refusal: string | null;
}

const sendAll = async (ids: readonly string[]): Promise<Sent> => {
  const results: PromiseSettledResult<unknown>[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    results.push(...(await Promise.allSettled(ids.slice(from, from + AT_ONCE).map(redeliver))));
  }
  const refused = results.filter((result) => result.status === 'rejected');
  return { count: ids.length - refused.length, refusal: refused[0] ? messageOf(refused[0].reason) : null };
};

const plural = (count: number): string => (count === 1 ? '1 delivery' : `${count} deliveries`);

const outcomeText = ({ count, refusal }: Sent, asked: number): string => {
  if (refusal === null) return count === 1 ? 'The delivery is sent again.' : `${plural(count)} are sent again.`;
  return `${count} of ${plural(asked)} ${count === 1 ? 'is' : 'are'} sent again. ${refusal}`;
};

interface ChosenProps {
  readonly storeId: string;
  readonly ids: readonly string[];
  readonly onDone: () => void;
}

/** What can be done with the rows that the reader has chosen. */
export const RedeliverChosen = ({ storeId, ids, onDone }: ChosenProps) => {
  const queries = useQueryClient();
  const toast = useToast();
  const sending = useMutation({
    mutationFn: () => sendAll(ids),
    onSuccess: (sent) => {
      toast(sent.refusal === null ? 'ok' : 'bad', outcomeText(sent, ids.length));
      onDone();
      return queries.invalidateQueries({ queryKey: ['deliveries', storeId] });
    },
  });
  return (
    <div className="chosen" role="region" aria-label="Selected deliveries">
      <span className="num">{ids.length} selected</span>
      <button type="button" className="button primary small" disabled={sending.isPending} onClick={() => sending.mutate()}>
        <RotateCw size={14} aria-hidden /> {sending.isPending ? 'Sending' : 'Send again'}
      </button>
      <button type="button" className="button quiet small" onClick={onDone}>
        Clear
      </button>
    </div>
  );
};
