import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

import { refuse } from '../../../../domain/result.ts';
import { parseUrl } from '../../../../domain/values/url.ts';
import type { ErrorShape } from '../../route-declaration.ts';
import { errorBody, STATUS_OF, type RouteError } from '../reply/refusals.ts';

const unlimited = new WeakSet<IncomingMessage>();

/**
 * Lets this request's body take as long as it needs: a file of any size, from a caller who has been
 * let in.
 */
export const allowAnyTime = (req: IncomingMessage): void => void unlimited.add(req);

const mayTakeAnyTime = (req: IncomingMessage): boolean => unlimited.has(req);

const SLASH = 0x2f;

/** `http://host:port/path?query`: the authority, and what follows it as it was sent. */
const ABSOLUTE = /^https?:\/\/([^/?#\\]+)([/?].*)?$/i;

/**
 * The host of an absolute target counts, and the Host header is ignored (RFC 9112, 3.2.2). One that
 * is missing or repeated stays so, and is refused.
 */
const setHost = (req: IncomingMessage, authority: string): void => {
  const hosts = req.headersDistinct['host'];
  if (hosts?.length === 1) hosts[0] = authority;
  else if (hosts === undefined && req.httpVersion === '1.0') req.headersDistinct['host'] = [authority];
  else return;
  req.headers.host = authority;
};

/**
 * Normalises the target of the request; false where it cannot be read. An absolute one becomes its
 * path, and its host the request's. `*` is left unchanged.
 */
const takeTarget = (req: IncomingMessage): boolean => {
  const { url = '' } = req;
  if (url.charCodeAt(0) === SLASH || url === '*') return true;
  const [, authority, rest = '/'] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined || parseUrl(url) === null) return false;
  req.url = rest.startsWith('?') ? `/${rest}` : rest;
  setHost(req, authority);
  return true;
};

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const isOver = ({ req, res }: Exchange): boolean => req.complete && res.writableFinished;

/** True while the request is still arriving and has no time limit. */
const mayGoOn = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined && !exchange.req.complete && mayTakeAnyTime(exchange.req);

/** Milliseconds that the sender has to read the refusal. */
const LINGER_MS = 1_000;

const NOT_HTTP = refuse('invalid', 'The request is not valid HTTP.');
const BAD_TARGET = refuse('invalid', 'The target of the request is not a path or an http URL.');
const UNKNOWN_EXPECTATION: RouteError = {
  code: 'expectation_failed',
  message: 'Expect must be 100-continue, or be left out.',
};

/** By Node's error code. Every other error of its parser is a bad request. */
const ERRORS: Readonly<Record<string, RouteError>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers are too long.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('payload_too_large', 'The chunk extensions are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request did not arrive in time.' },
};

const errorOf = (code: string): RouteError => ERRORS[code] ?? NOT_HTTP;

const headersOf = (contentType: string, body: string, requestId: string): Readonly<Record<string, string>> => ({
  'X-Request-Id': requestId,
  'Content-Type': contentType,
  'Content-Length': String(Buffer.byteLength(body)),
  Connection: 'close',
});

const responseOf = (shape: ErrorShape, error: RouteError, requestId: string): string => {
  const { contentType, body } = errorBody(shape, error, null);
  const status = STATUS_OF[error.code];
  const headers = Object.entries(headersOf(contentType, body, requestId)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...headers, '', body].join('\r\n');
};

const logUnreadable = (log: Logger, requestId: string, error: RouteError, reason: string): void => {
  log.info({ requestId, status: STATUS_OF[error.code], reason }, 'A request could not be read.');
};

/** Passes each request on, and answers the one whose target or expectation cannot be understood. */
export const readable = (serve: RequestListener, log: Logger, shape: ErrorShape) => {
  const refuseAs = (error: RouteError) => (res: ServerResponse) => {
    const requestId = randomUUID();
    logUnreadable(log, requestId, error, error.message);
    const { contentType, body } = errorBody(shape, error, null);
    res.writeHead(STATUS_OF[error.code], headersOf(contentType, body, requestId)).end(body);
  };
  const refuseTarget = refuseAs(BAD_TARGET);
  return {
    onRequest: ((req, res) => {
      if (takeTarget(req)) serve(req, res);
      else refuseTarget(res);
    }) as RequestListener,
    refuseExpectation: refuseAs(UNKNOWN_EXPECTATION),
  };
};

/**
 * Answers requests that Node's parser cannot read (400, 408, 413, 431), with an X-Request-Id like
 * every response and a line in the log. When a response is already on its way, the socket gets no
 * second one, which would be inside the first.
 */
export const refuseUnreadable = (server: Server, log: Logger, shape: ErrorShape): void => {
  const latest = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, code: string, requestId: string): void => {
    const error = errorOf(code);
    logUnreadable(log, requestId, error, code);
    refused.add(socket);
    socket.end(responseOf(shape, error, requestId));
    // Closing now would reset the connection before the sender has read the response. Waiting for it has no end.
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket
      .once('end', () => socket.destroy())
      .once('close', () => {
        clearTimeout(cut);
      });
  };
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    latest.set(req.socket, { req, res });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const code = error.code ?? '';
    const exchange = latest.get(socket);
    // The parser reports further errors after the first.
    if (refused.has(socket)) return;
    // Node reports a timeout once per request and keeps reading unless the connection is closed.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayGoOn(exchange)) return;
    if (!socket.writable || code === 'ECONNRESET') socket.destroy();
    else if (!exchange || isOver(exchange)) refuse(socket, code, randomUUID());
    // The request was complete, so it gets its response. The error is in what follows it.
    else if (exchange.req.complete) exchange.res.once('close', () => socket.end());
    else if (exchange.res.headersSent) socket.destroy();
    else {
      exchange.res.statusCode = STATUS_OF[errorOf(code).code];
      refuse(socket, code, String(exchange.res.getHeader('X-Request-Id') ?? randomUUID()));
    }
  });
};
