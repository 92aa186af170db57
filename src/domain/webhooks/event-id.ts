import { isLongerThan } from '../values/text.ts';

const MAX_LENGTH = 255;
/** Control characters, and what no font can show. */
const UNPRINTABLE = /\p{C}/u;

/** The rule of isEventId, as a public text after the field's name. */
export const EVENT_ID_RULE = `must have 1 to ${MAX_LENGTH} printable characters`;

/** Whether a merchant may give an event this id (decisions.md, Feed). */
export const isEventId = (text: string): boolean => text !== '' && !isLongerThan(text, MAX_LENGTH) && !UNPRINTABLE.test(text);
