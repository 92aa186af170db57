import { present, text, timeText } from '../../api/search.ts';

/** By what the list is filtered, which request is open, and from where it is read. All of it is in the URL. */
export const requestSearch = (given: Record<string, unknown>) =>
  present({
    app: text(given, 'app'),
    status: text(given, 'status'),
    route: text(given, 'route'),
    check: text(given, 'check'),
    reason: text(given, 'reason'),
    since: timeText(given, 'since'),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });

export type RequestSearch = ReturnType<typeof requestSearch>;

/** What a page asks the router to change. A member that is undefined is taken away. */
export type RequestChange = { readonly [K in keyof RequestSearch]?: RequestSearch[K] | undefined };

/** The filter as the API names it. */
export const filterOf = ({ app, status, route, check, reason, since }: RequestSearch) => ({
  installationId: app,
  status,
  route,
  check,
  reason,
  since,
});

export const isFiltered = (search: RequestSearch): boolean =>
  Object.values(filterOf(search)).some((value) => value !== undefined);
