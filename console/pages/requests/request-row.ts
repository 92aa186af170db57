import type { RefusedRequest, RefusedRequestGroups } from '../../api/types.ts';

export interface RequestRow extends RefusedRequest {
  /** Requests like this one that have no row. */
  readonly alike: number;
  /** Time of the oldest request. */
  readonly since: string;
  /** How many there were, step by step; null of one by itself. */
  readonly trend: readonly number[] | null;
}

/** Requests of an app that were refused on one route for one reason share a row, at the newest. */
export const rowOfGroup = ({ newest, count, since, trend }: RefusedRequestGroups['items'][number]): RequestRow => ({
  ...newest,
  alike: count - 1,
  since,
  trend,
});

/** Each by itself: within one kind, a reader wants to see which. */
export const rowOf = (request: RefusedRequest): RequestRow => ({
  ...request,
  alike: request.leftOut,
  since: request.at,
  trend: null,
});
