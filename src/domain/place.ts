/** The place of an entry in a list by time: its time in milliseconds, then its id. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** A page of a list that is newest first. */
export interface PlacedPageQuery {
  readonly after: Place | null;
  readonly take: number;
}

/** A page of a list that is newest first. `next` is where the following page begins; null at the end. */
export const pageByPlace = async <T extends { readonly id: string }>(
  { after, take }: PlacedPageQuery,
  list: (page: PlacedPageQuery) => Promise<readonly T[] | null>,
  timeOf: (item: T) => string,
): Promise<{ readonly items: readonly T[]; readonly next: Place | null } | null> => {
  const found = await list({ after, take: take + 1 });
  if (found === null) return null;
  const items = found.slice(0, take);
  const last = items.at(-1);
  return { items, next: last && found.length > take ? { at: Date.parse(timeOf(last)), id: last.id } : null };
};
