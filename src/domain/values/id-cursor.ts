import { parseUuid } from './uuid.ts';

const GROUPS = /^(.{12})(.{4})(.{4})(.{4})(.{8})$/;

/**
 * The cursor of a list that is ordered by its ids: the UUID of the last entry, with its groups in
 * reverse, so that nobody takes it for an id that can be looked up.
 */
export const idCursorOf = (id: string): string => id.split('-').reverse().join('');

/** The id in the cursor. Null when it is not a cursor. */
export const parseIdCursor = (cursor: string): string | null =>
  GROUPS.test(cursor) ? parseUuid(cursor.replace(GROUPS, '$5-$4-$3-$2-$1')) : null;
