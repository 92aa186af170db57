import type { NoReply } from './attempt.ts';
import type { Reply } from './call.ts';
import { TenonError } from './tenon-error.ts';

type Body = Readonly<Record<string, unknown>>;

/** The JSON object of an error; empty for an error without one, as of a proxy. */
export const errorBodyOf = (text: string): Body => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const missingScope = (headers: Headers): string | undefined => /scope="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];

/** Tenon answers all of these alike, so that nobody learns which credentials exist. The usual causes come first. */
const CREDENTIALS =
  'The client id or the client secret is wrong, or they are of another store or another server, or no store has this address. ' +
  'If not, the app is suspended or uninstalled, or the store is inactive.';
const TOKEN =
  'The token is not accepted: the app was suspended or uninstalled, its tokens were revoked, or the store is inactive.';

const whyUnauthenticated = (what: string, id: string | null): string => {
  const why = what === 'POST /apps/token' ? CREDENTIALS : TOKEN;
  return id === null
    ? `${why} The answer has no X-Request-Id, so this may not be a Tenon server: check the address.`
    : `${why} The operator of the server learns which by: tenon requests why ${id}`;
};

interface Unexplained {
  readonly code: string;
  readonly why: (what: string, headers: Headers) => string;
}

/** The answers of Tenon that have no body, or no code in it: what happened, and what to do. */
const UNEXPLAINED: Readonly<Record<number, Unexplained>> = {
  400: { code: 'invalid', why: () => 'The server could not read the request. A proxy before it may have changed it.' },
  401: { code: 'unauthenticated', why: (what, headers) => whyUnauthenticated(what, headers.get('X-Request-Id')) },
  403: {
    code: 'forbidden',
    why: (_, headers) =>
      `The installation lacks the scope ${missingScope(headers) ?? 'that this needs'}. Ask the merchant to grant it. It counts from the next call.`,
  },
  404: {
    code: 'not_found',
    why: () => 'The server has nothing at this path. Set store to the address of the store, without a path.',
  },
};

const messageOf = (what: string, { status, headers }: Reply): string => {
  const known = UNEXPLAINED[status];
  if (known) return known.why(what, headers);
  if (status >= 300 && status < 400) {
    return `The server redirects to ${headers.get('Location') ?? 'another address'}. Redirects are not followed: set store to the address of the store.`;
  }
  if (status >= 500) return 'The server, or a proxy before it, failed and gave no reason. Try again later.';
  return 'The server, or a proxy before it, refused the request and gave no reason.';
};

const described = (what: string, reply: Reply | NoReply) => {
  if (!('status' in reply)) {
    const message = reply.code === 'timeout' ? 'The server did not answer in time.' : 'The server could not be reached.';
    return { status: null, code: reply.code, requestId: null, message, body: {} };
  }
  const body = errorBodyOf(reply.text);
  return {
    status: reply.status,
    code: textOf(body['code']) ?? UNEXPLAINED[reply.status]?.code ?? `http_${String(reply.status)}`,
    requestId: reply.headers.get('X-Request-Id'),
    message: textOf(body['error']) ?? textOf(body['detail']) ?? messageOf(what, reply),
    body,
  };
};

/** The error for the last reply to a call. `what` is its method and path. */
export const failureOf = (what: string, reply: Reply | NoReply, attempts: number): TenonError => {
  const { message, ...failure } = described(what, reply);
  const status = failure.status === null ? '' : ` ${String(failure.status)}`;
  const options = !('status' in reply) ? { cause: reply.cause } : undefined;
  return new TenonError({ ...failure, attempts, message: `${what}:${status} ${message}` }, options);
};

/** The error for a success that is not JSON, as of a proxy or of another server. */
export const unreadable = (what: string, { status, headers }: Reply): TenonError =>
  new TenonError({
    status,
    code: 'unreadable',
    requestId: headers.get('X-Request-Id'),
    attempts: 1,
    body: {},
    message: `${what}: ${String(status)} The response is not JSON. Is store the address of a Tenon store?`,
  });
