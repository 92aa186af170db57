import { oneOf, present, text, timeText } from '../../api/search.ts';
import type { LoggedMethod } from '../../../src/adapters/http/console/shared.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly LoggedMethod[];

/** By what the list is filtered, which request is open, and from where it is read. All of it is in the URL. */
export const requestSearch = (given: Record<string, unknown>) =>
  present({
    app: text(given, 'app'),
    status: text(given, 'status'),
    method: oneOf(given, 'method', METHODS),
    route: text(given, 'route'),
    check: text(given, 'check'),
    reason: text(given, 'reason'),
    since: timeText(given, 'since'),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });

export type RequestSearch = ReturnType<typeof requestSearch>;

/** Search parameters to change. The router removes an undefined member. */
export type RequestChange = { readonly [K in keyof RequestSearch]?: RequestSearch[K] | undefined };

/** The filter as the API names it. */
export const filterOf = ({ app, status, method, route, check, reason, since }: RequestSearch) => ({
  installationId: app,
  status,
  method,
  route,
  check,
  reason,
  since,
});

/** True when all matching requests are of one kind, and so of one group. */
export const isOneKind = ({ route, check, reason }: RequestSearch): boolean =>
  [route, check, reason].every((chosen) => chosen !== undefined);

export const isFiltered = (search: RequestSearch): boolean =>
  Object.values(filterOf(search)).some((value) => value !== undefined);
