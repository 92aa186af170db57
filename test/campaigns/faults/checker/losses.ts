import type { History, KeyHistory, Moment } from '../history.ts';
import type { Violation } from './violation.ts';

/** A time in which what was answered, delivered or read may be of a history that is lost. */
export interface Loss {
  readonly from: Moment;
  readonly until: Moment;
}

/** Time for commits that were on their way when the old primary ended. */
const GRACE_MS = 2_000;

/** Where no commit waits for the standby, and only there. */
export const lossesOf = ({ failovers }: Pick<History, 'failovers'>): Loss[] =>
  failovers
    .filter(({ isAsynchronous }) => isAsynchronous)
    .map(({ safeAt, leftAt }) => ({ from: safeAt, until: leftAt + GRACE_MS }));

/** The times in which a node may have worked with an old primary that nobody stopped. */
export const dividedOf = ({ failovers }: Pick<History, 'failovers'>): Loss[] =>
  failovers
    .filter(({ goneAt }) => goneAt === Infinity)
    .map(({ promotedAt, leftAt }) => ({ from: promotedAt, until: leftAt + GRACE_MS }));

/**
 * True when a part of the time may be of a lost history: each batch of an import is a commit, and
 * its answer follows the last.
 */
export const overlaps = (from: Moment, until: Moment, losses: readonly Loss[]): boolean =>
  losses.some((loss) => from <= loss.until && until >= loss.from);

export const isIn = (at: Moment, losses: readonly Loss[]): boolean => overlaps(at, at, losses);

/**
 * The violations of a key. An answer that may be of a lost history is left out where it is the cause. Then the client knows
 * of no answer that counts: nothing says when it should have come, or that other bytes may not have the key.
 */
export const judgeWithLosses = (
  one: KeyHistory,
  losses: readonly Loss[],
  judge: (one: KeyHistory) => Violation[],
): Violation[] => {
  const found = judge(one);
  const isLost = ({ answer, endedAt }: KeyHistory['attempts'][number]): boolean => answer !== null && isIn(endedAt, losses);
  if (found.length === 0 || !one.attempts.some(isLost)) return found;
  const attempts = one.attempts.map((attempt) => (isLost(attempt) ? { ...attempt, answer: null } : attempt));
  return judge({ ...one, attempts, intruder: null }).filter(({ rule }) => rule !== 'key stuck');
};
