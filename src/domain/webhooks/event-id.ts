import { isLongerThan } from '../values/text.ts';

const MAX_LENGTH = 255;
/** Control characters, and what no font can show. */
const UNPRINTABLE = /\p{C}/u;

export const EVENT_ID_RULE = `must have 1 to ${MAX_LENGTH} printable characters`;

/** Validates a merchant's id for an event (docs/specification/feed.md, "The merchant's events"). */
export const isEventId = (text: string): boolean => text !== '' && !isLongerThan(text, MAX_LENGTH) && !UNPRINTABLE.test(text);
