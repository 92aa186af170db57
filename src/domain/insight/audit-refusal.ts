/** Reasons for refusing a change or a sign-in before anything was done, in words for people. */
export const REFUSED_BECAUSE = {
  role_too_low: 'The role is too low for this.',
  other_store: 'Access is limited to other stores.',
  wrong_admin_token: 'Wrong token.',
  too_many_wrong_admin_tokens: 'Too many wrong tokens before this.',
  wrong_sign_in: 'Wrong, expired or used credentials.',
} as const;

export type RefusedBecause = keyof typeof REFUSED_BECAUSE;

export const REFUSED_REASONS = Object.keys(REFUSED_BECAUSE) as [RefusedBecause, ...RefusedBecause[]];

export interface AuditRefusal {
  readonly reason: RefusedBecause;
  /** 1 for a refusal with an entry of its own. Otherwise the number of its kind in the hour so far, with those that have no entry. */
  readonly count: number;
}

/** The content of an entry begins so where the change was refused. No member that a client chooses comes first. */
export const REFUSAL_PREFIX = '{"refusal":';

/** The most entries of their own that the refusals of one kind have in an hour. */
export const MAX_ENTRIES_IN_HOUR = 50;
/** The most of them that one address causes on one process, where nobody knows who is there. */
export const MAX_ENTRIES_OF_ADDRESS = 5;
/** The most characters of a path that the entry of a refusal keeps. */
export const MAX_REFUSED_PATH = 500;

/** Counts of one kind's refusals in an hour: all, and those that asked for a separate entry. */
export interface RefusalFigures {
  readonly listed: number;
  readonly refused: number;
}

/** Number of the latest entries that have a place in the hour. */
export const placesOf = (asked: number, { listed }: RefusalFigures): number =>
  Math.max(0, Math.min(asked, MAX_ENTRIES_IN_HOUR - (listed - asked)));

/** Returns true if the last refusals reached 10, 100, 1,000 or a higher power of ten, while some have no entry. An entry then has the count. */
export const isMilestone = (added: number, { listed, refused }: RefusalFigures): boolean =>
  refused > Math.min(listed, MAX_ENTRIES_IN_HOUR) && refused >= 10 && String(refused).length > String(refused - added).length;
