import { present, text } from '../../api/search.ts';

/** All changes are listed, unless those that were refused are asked for. */
export const changeSearch = (given: Record<string, unknown>) =>
  present({
    show: text(given, 'show') === 'refused' ? ('refused' as const) : undefined,
    after: text(given, 'after'),
    open: text(given, 'open'),
  });

export type ChangeSearch = ReturnType<typeof changeSearch>;

/** Undefined leaves a member out. */
export type ChangeOfSearch = { readonly [K in keyof ChangeSearch]?: ChangeSearch[K] | undefined };
