import { cutPage, type Place } from './place.ts';

export interface Page {
  readonly skip: number;
  readonly take: number;
}

export const DEFAULT_TAKE = 50;
export const MAX_TAKE = 250;
/** PostgreSQL's OFFSET is a bigint. A JavaScript number is exact up to this value. */
const MAX_SKIP = Number.MAX_SAFE_INTEGER;

const integer = (text: string | undefined): number | null => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null);

/**
 * The page that the query requests (docs/specification/requests.md, "Paging"). These routes have no
 * 400: a negative or non-numeric value becomes the default, and take is clamped to 1..250.
 */
export const pageOf = (query: { skip?: string | undefined; take?: string | undefined }): Page => {
  const skip = integer(query.skip) ?? 0;
  const take = integer(query.take) ?? DEFAULT_TAKE;
  return {
    skip: Math.min(Math.max(skip, 0), MAX_SKIP),
    take: take < 0 ? DEFAULT_TAKE : Math.min(Math.max(take, 1), MAX_TAKE),
  };
};

/** Characters of an id by which a list finds it. Fewer are in other ids by chance. */
export const MIN_ID_PREFIX = 8;

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly skip: number;
  readonly take: number;
  readonly total: number;
}

/** A page of a list that is oldest first: from behind a place, if one is given, and from there by what is skipped. */
export interface PlacedPage extends Page {
  readonly after?: Place | undefined;
}

export interface PlacedPageOf<T> extends PageOf<T> {
  /** The place behind which the list continues. Null at its end. */
  readonly next: Place | null;
}

/** The page of what was found from its beginning on, with one more where the list continues. */
export const placedPageOf = <T extends { readonly id: string; readonly createdAt: string }>(
  found: readonly T[],
  { skip, take }: Page,
  total: number,
): PlacedPageOf<T> => ({ ...cutPage(found, take, 'createdAt'), skip, take, total });
