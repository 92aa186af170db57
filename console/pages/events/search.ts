import { present, text, timeText } from '../../api/search.ts';

/** By what the list is filtered, which event is open, and from where it is read. All of it is in the URL. */
export const eventSearch = (given: Record<string, unknown>) =>
  present({
    types: text(given, 'types'),
    resource: text(given, 'resource'),
    since: timeText(given, 'since'),
    until: timeText(given, 'until'),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });

export type EventSearch = ReturnType<typeof eventSearch>;

/** Search parameters to change. The router removes an undefined member. */
export type EventChange = { readonly [K in keyof EventSearch]?: EventSearch[K] | undefined };

/** The filter as the API names it. */
export const filterOf = ({ types, resource, since, until }: EventSearch) => ({ types, resourceId: resource, since, until });

export const isFiltered = (search: EventSearch): boolean => Object.values(filterOf(search)).some((value) => value !== undefined);
