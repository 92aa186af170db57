/**
 * The feed of a store may lose its end: a standby is promoted that lacks it, or a backup is restored. The
 * positions are then given again, to other events. So the feed has epochs, and a place says in which
 * of them its event was placed (docs/specification/feed.md, "Epochs").
 */
export interface Epoch {
  readonly id: string;
  /** The position after which the store's feed continued in this epoch. They rise from one to the next. */
  readonly began: number;
}

/** A place in the feed, with what shows if the feed still has the events up to it. */
export interface FeedPlace {
  readonly position: number;
  /** The epoch of the event at the position. Null at the beginning, and for what was placed before there were epochs. */
  readonly epoch: string | null;
  /** Position after which this epoch began. */
  readonly began: number;
  readonly previous: string | null;
  /** True for a cursor of the first version, which anybody can make for any position. */
  readonly isFirst?: true;
  /** True for a cursor that was sealed with a key that this process does not have. */
  readonly isUnknown?: true;
}

/** State of a store's feed: the events behind `tail`, up to `head`. */
export interface FeedState {
  readonly head: number;
  readonly tail: number;
  readonly epochs: readonly Epoch[];
  /** The last position of a cursor of the first version. Null while they are given out. */
  readonly firstCursors: number | null;
}

export const EXPIRY_REASONS = ['history_changed', 'key_unknown', 'not_kept'] as const;
/**
 * Reasons why a reader can't continue. `history_changed`: some events that it read are gone, and it
 * misses none from `oldest` on. `key_unknown`: nothing is known of its place, since the key that
 * sealed it is gone, and `oldest` is the oldest event that is kept. `not_kept`: it may have missed
 * events that are not kept any more.
 */
export type ExpiryReason = (typeof EXPIRY_REASONS)[number];

export interface Expiry {
  readonly reason: ExpiryReason;
  readonly oldest: FeedPlace;
}

/** The first version knows no epochs. */
export const firstPlaceAt = (position: number): FeedPlace => ({ position, epoch: null, began: 0, previous: null, isFirst: true });

export const placeAt = (position: number, epochs: readonly Epoch[]): FeedPlace => {
  const at = epochs.findLastIndex(({ began }) => began < position);
  const { id: epoch = null, began = 0 } = epochs[at] ?? {};
  return { position, epoch, began, previous: epochs[at - 1]?.id ?? null };
};

export const placeIn = (position: number, { epochs, firstCursors }: Pick<FeedState, 'epochs' | 'firstCursors'>): FeedPlace =>
  firstCursors === null ? firstPlaceAt(position) : placeAt(position, epochs);

export const UNKNOWN_PLACE: FeedPlace = {
  position: Number.MAX_SAFE_INTEGER,
  epoch: '',
  began: 0,
  previous: null,
  isUnknown: true,
};

/** The last position of an epoch that this feed has. Null if it lacks the epoch. */
const endOf = (epoch: string | null, { epochs, head }: FeedState): number | null => {
  const at = epochs.findIndex(({ id }) => id === epoch);
  return at === -1 ? null : (epochs[at + 1]?.began ?? head);
};

/**
 * The position up to which the reader of a place has read the same events as this feed has. An epoch is
 * one start of one server, so two histories that both have its beginning differ at its end at most.
 * Null: they have no epoch in common.
 */
const rightUpTo = (place: FeedPlace, state: FeedState): number | null => {
  const { position, epoch, began, previous } = place;
  const first = place.isFirst === true ? (state.firstCursors ?? Infinity) : Infinity;
  if (epoch === null) return Math.min(position, first, state.epochs.find((one) => one.began > 0)?.began ?? state.head);
  const end = endOf(epoch, state);
  if (end !== null) return Math.min(position, end);
  // All of the epoch was lost, and maybe the end of the one before.
  const before = endOf(previous, state);
  return before === null ? null : Math.min(position, began, before);
};

/** Null where the reader of this place misses nothing when it continues behind it. */
export const expiryOf = (place: FeedPlace, state: FeedState): Expiry | null => {
  const right = rightUpTo(place, state) ?? 0;
  if (right === place.position && right >= state.tail) return null;
  const lost = right < state.tail ? 'not_kept' : 'history_changed';
  const reason = place.isUnknown === true ? 'key_unknown' : lost;
  return { reason, oldest: placeIn(Math.max(right, state.tail), state) };
};

/**
 * Place where a walk back from the newest event continues, at the events before this position. What
 * was placed since the walk lost its place is newer than its beginning, so the walk leaves it out.
 * Where nothing is known of the place, the walk begins again.
 */
export const beginBefore = (place: FeedPlace | null, state: FeedState): number => {
  const right = place && rightUpTo(place, state);
  return place === null || right === null ? Infinity : Math.min(place.position, right + 1);
};
