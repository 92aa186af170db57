import { double, id, int64, text, time } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';

/**
 * The check at which a request was refused, in the order of the checks. `work`: the
 * use case refused it, or it failed there.
 */
export const CHECKS = ['store', 'token', 'rate', 'scope', 'key', 'body', 'claim', 'schema', 'work'] as const;
export type Check = (typeof CHECKS)[number];

/** A request of the app API that was refused. It holds nothing of a body, a token or a secret. */
export interface RefusedRequest {
  readonly id: string;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly route: string;
  readonly status: number;
  /** The code of the refusal. Null where the refusal of an earlier request was replayed. */
  readonly code: string | null;
  /** Reason, where the log knows more than the code. Otherwise the code again. */
  readonly reason: string;
  readonly check: Check;
  /** Null where no token named the store. */
  readonly storeId: string | null;
  /** The host that was asked for, by which the store is found where no token named it. */
  readonly host: string;
  readonly installationId: string | null;
  readonly durationMs: number;
}

/** A refusal with the number of like ones that are left out of the log because of it. */
export interface KeptRefusal extends RefusedRequest {
  readonly leftOut: number;
}

/** A refusal as the log has it. */
export const LOGGED_REFUSAL = resource('RefusedRequest', {
  id: id({ example: 70, about: 'The X-Request-Id of the response.' }),
  at: time({ example: EXAMPLE_TIME }),
  route: text({ example: 'POST /apps/catalog/products/bulk', about: 'The method and the route, as in the OpenAPI document.' }),
  status: int64({ example: 403 }),
  code: text({ orNull: true, example: 'forbidden', about: 'Null if the response is the replay of an earlier refusal.' }),
  reason: text({
    example: 'needs write_products',
    about: 'The reason, which the caller does not always see. The code if nothing more is known.',
  }),
  check: text({
    values: CHECKS,
    example: 'scope',
    about: 'The check that failed. The values are in the order of the checks.',
  }),
  storeId: id({ orNull: true, example: 99, about: 'Null if the host matches no store.' }),
  host: text({ orNull: true, about: 'The requested host, if it matches no store.' }),
  installationId: id({ orNull: true, example: 1, about: 'Null if the request had no valid token.' }),
  durationMs: double({ example: 1.94 }),
  leftOut: int64({ example: 0, about: 'The number of similar requests in the same second that the log omits.' }),
});
export type LoggedRefusal = Resource<typeof LOGGED_REFUSAL>;

/** Refusals of one installation with one reason that the log keeps of each second. */
export const MAX_KEPT = 10;

const byTime = (a: KeptRefusal, b: KeptRefusal): number => a.at - b.at || (a.id < b.id ? -1 : 1);

/**
 * The refusals that are kept where no store has the host: ten of each reason. The tenth counts the
 * others. Anyone can invent hosts, so these share what is kept of a reason.
 */
export const keptOfNoStore = (refusals: readonly KeptRefusal[]): KeptRefusal[] =>
  [...new Set(refusals.map(({ reason }) => reason))].flatMap((reason) => {
    const all = refusals.filter((refusal) => refusal.reason === reason).sort(byTime);
    const others = all.slice(MAX_KEPT).reduce((sum, { leftOut }) => sum + leftOut + 1, 0);
    return all.slice(0, MAX_KEPT).map((row, at) => (at === MAX_KEPT - 1 ? { ...row, leftOut: row.leftOut + others } : row));
  });

export const MAX_HOST = 255;

/** In how many steps of time the refusals of a group are counted. */
export const TREND_STEPS = 24;

/** The methods of the routes that are in the log. */
export const LOGGED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type LoggedMethod = (typeof LOGGED_METHODS)[number];
