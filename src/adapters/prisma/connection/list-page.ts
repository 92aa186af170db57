import { MIN_ID_PREFIX, type PlacedPage } from '../../../domain/page.ts';
import { isoTime } from '../../../domain/time.ts';

/**
 * True when one of the columns contains the text `$q`, in any case, and without a text. It reads
 * each row of the list, which are few: no index has the middle of a text unless pg_trgm is there.
 */
export const hasText = (...columns: readonly string[]): string =>
  `($q::text IS NULL OR ${columns.map((column) => `strpos(folded(${column}), folded($q)) > 0`).join(' OR ')})`;

/** True when `$q` is the id, or its beginning of 8 characters or more: a short text is in the ids of many by chance. */
const beginsId = (id: string): string => `(length($q) >= ${MIN_ID_PREFIX} AND starts_with(lower(${id}), lower($q)))`;

/** Like hasText, for rows that are also found by their ids. */
export const hasTextOrId = (columns: readonly string[], ids: readonly string[]): string =>
  `(${hasText(...columns)} OR ${ids.map(beginsId).join(' OR ')})`;

/** True when row `row` of a list by creation, then id, is behind the place, and without a place. */
export const isBehind = (row: string): string =>
  `($afterTime::timestamptz IS NULL OR (${row}.created_at, ${row}.id) > ($afterTime, $afterId::uuid))`;

/** From the place on. The parameters are PAGE_PARAMETERS. */
export const pageClause = (row: string): string => `ORDER BY ${row}.created_at, ${row}.id OFFSET $skip LIMIT $limit`;

export const PAGE_PARAMETERS = { afterTime: 'timestamptz?', afterId: 'uuid?', skip: 'int8', limit: 'int8' } as const;

/** Reads a row more than the page, which says that the list continues. */
export const pageValues = ({ after, skip, take }: PlacedPage) => ({
  afterTime: after === undefined ? null : isoTime(after.at),
  afterId: after?.id ?? null,
  skip,
  limit: take + 1,
});

/**
 * True when a row of a list that is newest first is behind the place `$afterAt` and `$afterId`, and
 * without a place.
 */
export const isOlder = (at: string, id: string): string =>
  `(${at}, ${id}) < (coalesce($afterAt::timestamptz, 'infinity'), coalesce($afterId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`;
