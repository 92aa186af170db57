import type { Call, Reply } from './call.ts';
import { requestIdOf } from './observed.ts';
import { TenonError } from './tenon-error.ts';

type Body = Readonly<Record<string, unknown>>;

/** The JSON object of an error; empty for an error without one, as of a proxy. */
export const errorBodyOf = (text: string): Body => {
  try {
    // Object() turns null into an empty object.
    return Object(JSON.parse(text)) as Body;
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Tenon answers all of these alike, so that nobody learns which credentials exist. The usual causes come first. */
const INACTIVE = 'the app is suspended or uninstalled, or the store is inactive.';
const CREDENTIALS =
  'The client id or the client secret is wrong or of another store or server, or no store has this address. ' + `Or ${INACTIVE}`;
const TOKEN = `The token is not accepted: it was revoked, ${INACTIVE}`;

const IS_STORE = 'Is store the address of a Tenon store?';

const whoKnows = (headers: Headers): string => {
  const id = requestIdOf(headers);
  return id ? `The operator learns which: tenon requests why ${id}` : 'Without an X-Request-Id, this may not be a Tenon server.';
};

const whyRefused = (status: number, headers: Headers): string =>
  status < 400
    ? `The server redirects to ${headers.get('Location') ?? 'another address'}, which is not followed. ${IS_STORE}`
    : 'The server, or a proxy before it, gave no reason.';

/** The code and the reason of a reply that does not say them itself: none came, or Tenon gives them no body. */
const unexplained = (path: string, { status, headers, cause }: Reply): readonly [code: string, why: string] => {
  if (cause instanceof TenonError) return [cause.code, cause.message];
  if (status === null) return ['no_response', 'The server could not be reached.'];
  switch (status) {
    case 400:
      return ['invalid', 'The request could not be read. A proxy may have changed it.'];
    case 401:
      return ['unauthenticated', `${path === '/apps/token' ? CREDENTIALS : TOKEN} ${whoKnows(headers)}`];
    case 403: {
      const [, scope = 'that this needs'] = /scope="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '') ?? [];
      return ['forbidden', `The installation lacks the scope ${scope}. Ask the merchant to grant it.`];
    }
    case 404:
      return ['not_found', `The server has nothing at this path. ${IS_STORE}`];
    default:
      if (status < 300) return ['unreadable', `The response is not JSON. ${IS_STORE}`];
      return [`http_${status}`, whyRefused(status, headers)];
  }
};

/** A proxy may hide that the connection broke: the answer then looks whole, and ends early. It is as good as none. */
export const cutShort = ({ headers }: Reply): Reply => {
  const message = 'The answer ended before its end.';
  return { status: null, headers, text: '', cause: new TenonError({ code: 'incomplete', message }) };
};

/** The error for the last reply to a call. */
export const failureOf = ({ method, path }: Call, reply: Reply, attempts: number): TenonError => {
  const { status, headers, text } = reply;
  const body = errorBodyOf(text);
  const [code, why] = unexplained(path, reply);
  const reason = textOf(body['error']) ?? textOf(body['detail']) ?? why;
  const message = `${method} ${path}:${status === null ? '' : ` ${status}`} ${reason}`;
  const failure = { code: textOf(body['code']) ?? code, message, status, requestId: requestIdOf(headers), attempts, body };
  // A reply that is lost has its cause.
  return new TenonError(failure, reply);
};
