import type { FeedSlice } from '../../../application/webhooks/feed-page.ts';
import { jsonText, type Raw } from '../answer.ts';

/** The page around the bodies as they are, so that their bytes stay those of the webhooks. */
export const feedText = ({ bodies, next, more }: FeedSlice): Raw =>
  jsonText(`{"items":[${bodies.join(',')}],"next":${JSON.stringify(next)},"more":${String(more)}}`);
