import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

import { mayTakeAnyTime } from './request-time.ts';
import type { ErrorShape } from '../route-declaration.ts';

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const isOver = ({ req, res }: Exchange): boolean => req.complete && res.writableFinished;

/** Whether the request is still arriving and has no time limit. */
const mayGoOn = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined && !exchange.req.complete && mayTakeAnyTime(exchange.req);

/** By Node's error code. Every other error of its parser is a bad request. */
const statusOf = (code: string): number => STATUS[code] ?? 400;

/** Milliseconds that the sender has to read the refusal. */
const LINGER_MS = 1_000;

const MESSAGE: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP.',
  408: 'The request did not arrive in time.',
  413: 'The chunk extensions are too long.',
  431: 'The headers are too long.',
};

const bodyOf = (shape: ErrorShape, status: number): { readonly type: string; readonly body: string } => {
  const message = MESSAGE[status] ?? '';
  const code = status === 413 && { code: 'payload_too_large' };
  const problem = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, instance: null, ...code };
  return shape === 'problem'
    ? { type: 'application/problem+json', body: JSON.stringify(problem) }
    : { type: 'application/json', body: JSON.stringify({ error: message, ...code }) };
};

const responseOf = (shape: ErrorShape, status: number, requestId: string): string => {
  const { type, body } = bodyOf(shape, status);
  return [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
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
    const status = statusOf(code);
    log.info({ requestId, status, reason: code }, 'A request could not be read.');
    refused.add(socket);
    socket.end(responseOf(shape, status, requestId));
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
      exchange.res.statusCode = statusOf(code);
      refuse(socket, code, String(exchange.res.getHeader('X-Request-Id') ?? randomUUID()));
    }
  });
};
