import { MIN_ID_PREFIX, placedPageOf, type PlacedPage, type PlacedPageOf } from '../../src/domain/page.ts';
import { byCreation } from './identity/identity-tables.ts';

/** True when a value contains the text, in any case, and without a text. */
export const hasText = (q: string | undefined, ...values: readonly (string | null)[]): boolean =>
  q === undefined || values.some((value) => value?.toLowerCase().includes(q.toLowerCase()));

/** Like hasText, and true for an id that is the text or begins with 8 or more characters of it. */
export const hasTextOrId = (q: string | undefined, values: readonly (string | null)[], ids: readonly string[]): boolean =>
  hasText(q, ...values) ||
  ids.some((id) => q !== undefined && q.length >= MIN_ID_PREFIX && id.toLowerCase().startsWith(q.toLowerCase()));

/** A page of the rows by creation, then id, from behind the place on. */
export const pageOf = <T extends { readonly id: string; readonly createdAt: string }>(
  rows: readonly T[],
  page: PlacedPage,
): PlacedPageOf<T> => {
  const { after, skip, take } = page;
  const isBehind = ({ createdAt, id }: T): boolean => {
    if (after === undefined) return true;
    const at = Date.parse(createdAt);
    return at > after.at || (at === after.at && id > after.id);
  };
  const behind = rows.toSorted(byCreation).filter(isBehind);
  return placedPageOf(behind.slice(skip, skip + take + 1), page, rows.length);
};
