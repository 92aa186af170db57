import type { Epoch } from '../../../domain/webhooks/feed-place.ts';

/** What EPOCHS (event-feed-statements.ts) gives. */
export const epochsOf = (json: string | null): readonly Epoch[] =>
  (JSON.parse(json ?? '[]') as readonly (readonly [id: string, began: number])[]).map(([id, began]) => ({ id, began }));
