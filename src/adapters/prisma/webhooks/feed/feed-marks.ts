import type { Epoch, FeedState } from '../../../../domain/webhooks/feed-place.ts';

/** What EPOCHS (event-feed-statements.ts) gives. */
const epochsOf = (json: string | null): readonly Epoch[] =>
  (JSON.parse(json ?? '[]') as readonly (readonly [id: string, began: number])[]).map(([id, began]) => ({ id, began }));

interface Row {
  readonly epochs: string | null;
  readonly firstCursors: string | null;
}

/** What a place of the feed is made of. */
export const marksOf = ({ epochs, firstCursors }: Row): Pick<FeedState, 'epochs' | 'firstCursors'> => ({
  epochs: epochsOf(epochs),
  firstCursors: firstCursors === null ? null : Number(firstCursors),
});
