import type { RefusedRequest } from '../../api/types.ts';

type Check = RefusedRequest['check'];

export type CheckState = 'passed' | 'refused' | 'not reached' | 'not needed';

export interface CheckStep {
  readonly check: Check;
  readonly name: string;
  /** Statement that is true once the check is passed. */
  readonly passes: string;
  readonly state: CheckState;
}

const NAMES: Readonly<Record<Check, readonly [name: string, passes: string]>> = {
  store: ['Store', 'The host is the domain of a store.'],
  token: ['Token', 'The access token is valid on this store, and the app is installed.'],
  rate: ['Rate limit', 'The app has requests left.'],
  scope: ['Scope', 'The app has the scope of the route.'],
  key: ['Idempotency-Key', 'There is exactly one, and it is valid.'],
  body: ['Body', 'Its type and size are right, and it can be read.'],
  claim: ['Key is free', 'No other request has the Idempotency-Key.'],
  schema: ['Schema', 'The path, the query and the body match the schema of the route.'],
  work: ['Work', 'The request is allowed, and the work is done.'],
};

const OF_APPS: readonly Check[] = ['store', 'token', 'rate', 'scope', 'key', 'body', 'claim', 'schema', 'work'];
/** A client proves in the body who it is, and its address is counted first. */
const OF_CLIENTS: readonly Check[] = ['rate', 'store', 'body', 'token'];
const TOKEN_ROUTE = 'POST /apps/token';

/** Routes that need an Idempotency-Key. The others have nothing to claim. */
export const KEYED_ROUTES: ReadonlySet<string> = new Set([
  'POST /apps/catalog/products/bulk',
  'POST /apps/catalog/variants/bulk',
  'POST /apps/media/imports',
]);

const isNeeded = (check: Check, { route, check: failed }: Pick<RefusedRequest, 'route' | 'check'>): boolean => {
  if (check === failed) return true;
  if (check === 'key' || check === 'claim') return KEYED_ROUTES.has(route);
  return check !== 'body' || /^(?:POST|PUT|PATCH) /.test(route);
};

type Request = Pick<RefusedRequest, 'route' | 'check' | 'reason'>;

/** `isAhead`: whether the check is made before the one that refused. */
const stateOf = (check: Check, request: Request, isAhead: boolean): CheckState => {
  if (check === request.check) return 'refused';
  if (!isNeeded(check, request)) return 'not needed';
  // An address with too many bad tokens is refused before its token is looked up.
  const isSkipped = check === 'token' && request.reason === 'failed_tokens';
  return isAhead && !isSkipped ? 'passed' : 'not reached';
};

/** The checks in the order in which this request met them, and how far it came. */
export const checkStepsOf = (request: Request): readonly CheckStep[] => {
  const usual = request.route === TOKEN_ROUTE ? OF_CLIENTS : OF_APPS;
  const checks = usual.includes(request.check) ? usual : [...usual, request.check];
  const refusedAt = checks.indexOf(request.check);
  return checks.map((check, index) => {
    const [name, passes] = NAMES[check];
    return { check, name, passes, state: stateOf(check, request, index < refusedAt) };
  });
};
