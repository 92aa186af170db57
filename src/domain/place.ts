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

type Timed<K extends string> = { readonly id: string } & Readonly<Record<K, string>>;

/** The entries of a page, and the place of the next, from what was found: one more than the page holds where the list continues. */
export const cutPage = <K extends string, T extends Timed<K>>(found: readonly T[], take: number, time: K) => {
  const items = found.slice(0, take);
  const last = items.at(-1);
  return { items, next: last && found.length > take ? { at: Date.parse(last[time]), id: last.id } : null };
};

/** A page of a list that is newest first by this time. `next` is where the following page begins; null at the end. */
export const pageByPlace = async <K extends string, T extends Timed<K>>(
  { after, take }: PlacedPageQuery,
  list: (page: PlacedPageQuery) => Promise<readonly T[] | null>,
  time: K,
): Promise<{ readonly items: readonly T[]; readonly next: Place | null } | null> => {
  const found = await list({ after, take: take + 1 });
  return found && cutPage(found, take, time);
};
