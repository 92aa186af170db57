import type { Verification } from '../../api/types.ts';

export type Checked = Verification['invariants'][number];

/** Kinds of ids in the examples of a violation. */
type Kind = 'event' | 'delivery' | 'store' | 'key' | 'entry';

interface InvariantWords {
  readonly examples: Kind;
  /** Consequence of a violation. */
  readonly otherwise: string;
}

export const INVARIANT_WORDS: Readonly<Record<Checked['name'], InvariantWords>> = {
  events_placed: { examples: 'event', otherwise: 'An app that reads the feed would miss an event or get it twice.' },
  feed_without_gaps: {
    examples: 'store',
    otherwise: 'A reader of the feed could move past a position before its event appears.',
  },
  pending_queued: { examples: 'delivery', otherwise: 'A delivery would wait forever, or be sent after it ended.' },
  queue_pending: { examples: 'delivery', otherwise: 'A worker would pick up work that does not exist.' },
  attempts_recorded: { examples: 'delivery', otherwise: 'The timeline of a delivery would miss an attempt.' },
  events_fanned_out: { examples: 'event', otherwise: 'The subscribers of an event would not receive it.' },
  keys_have_runners: { examples: 'key', otherwise: 'Every retry of a request would be answered 409, and none would run.' },
  audit_chained: { examples: 'entry', otherwise: 'Somebody could have changed or removed what the audit log says.' },
  deliveries_served: { examples: 'delivery', otherwise: 'A delivery would be stuck although nothing is holding it.' },
};

/** Results of a check, the worst first. */
export type Verdict = 'violated' | 'incomplete' | 'true';

export const verdictOf = ({ isComplete, violated }: Checked): Verdict => {
  if (!isComplete || violated === null) return 'incomplete';
  return violated > 0 ? 'violated' : 'true';
};

const ORDER: Readonly<Record<Verdict, number>> = { violated: 0, incomplete: 1, true: 2 };

export const worstFirst = (invariants: readonly Checked[]): readonly Checked[] =>
  [...invariants].sort((a, b) => ORDER[verdictOf(a)] - ORDER[verdictOf(b)]);
