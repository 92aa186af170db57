import { useMutation, useQueryClient } from '@tanstack/react-query';

import { RotateCw } from '../../icons/index.ts';
import { useToast } from '../../parts/toast.tsx';
import { sendAgain, type Outcome } from './send-again.ts';

const AT_ONCE = 5;

const sendAll = async (ids: readonly string[]): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    outcomes.push(...(await Promise.all(ids.slice(from, from + AT_ONCE).map(sendAgain))));
  }
  return outcomes;
};

const WORDS: Readonly<Record<Outcome['kind'], string>> = {
  delivered: 'delivered',
  failed: 'failed again',
  held: 'not sent now',
  queued: 'still queued',
  refused: 'cannot be sent',
};

/** The outcome of one as it is; of several, how many of each kind, and why the first was not delivered. */
const outcomeText = (outcomes: readonly Outcome[]): string => {
  const [first] = outcomes;
  if (outcomes.length === 1 && first) return first.text;
  const counts = Object.entries(WORDS).flatMap(([kind, word]) => {
    const count = outcomes.filter((outcome) => outcome.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const bad = outcomes.find(({ kind }) => kind !== 'delivered');
  return `${counts.join(', ')}.${bad ? ` ${bad.text}` : ''}`;
};

interface ChosenProps {
  readonly storeId: string;
  readonly ids: readonly string[];
  readonly onDone: (ids: readonly string[]) => void;
}

/** Actions for the selected rows. */
export const RedeliverChosen = ({ storeId, ids, onDone }: ChosenProps) => {
  const queries = useQueryClient();
  const toast = useToast();
  const sending = useMutation({
    mutationFn: sendAll,
    onSuccess: (outcomes, sent) => {
      toast(outcomes.every(({ kind }) => kind === 'delivered') ? 'ok' : 'bad', outcomeText(outcomes));
      onDone(sent);
      return queries.invalidateQueries({ queryKey: ['deliveries', storeId] });
    },
  });
  return (
    <div className="chosen" role="region" aria-label="Selected deliveries">
      <span className="num">{ids.length} selected</span>
      <button type="button" className="button primary small" disabled={sending.isPending} onClick={() => sending.mutate(ids)}>
        <RotateCw size={14} aria-hidden /> {sending.isPending ? 'Sending' : 'Send again'}
      </button>
      <button type="button" className="button quiet small" onClick={() => onDone(ids)}>
        Clear
      </button>
    </div>
  );
};
