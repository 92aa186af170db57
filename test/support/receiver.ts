import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request as it arrived: `body` holds the raw bytes. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Reaction of the receiver to a request that it has read completely. */
export type Answer = (response: ServerResponse, request: Received) => void;

export const respond =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

export const redirect = (status: number, location: string): Answer => respond(status, 'elsewhere', { location });

/** Never answers. */
export const hang: Answer = () => undefined;

/** The head and then a byte each 10 ms, for ever. */
export const drip: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 10);
  response.on('close', () => clearInterval(timer));
};

/**
 * A body of this many bytes (1 GiB by default), sent as fast as it is read; null: an endless body
 * without a length. `told` gets the number of sent bytes after the socket closed.
 */
export const flood =
  (told: (bytesWritten: number) => void, size: number | null = 2 ** 30): Answer =>
  (response) => {
    const { socket } = response;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    response.writeHead(200, size === null ? {} : { 'content-length': size });
    const pour = () => {
      let left = !response.destroyed;
      while (left) left = response.write(chunk);
    };
    response.on('drain', pour).on('close', () => told(socket?.bytesWritten ?? 0));
    pour();
  };

/** The head, a part of the body that was promised, and a reset. */
export const breakOff =
  (part = 'half'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(part, () => response.socket?.resetAndDestroy());
  };

/** Closes the connection without an answer. */
export const reset: Answer = (response) => response.socket?.resetAndDestroy();

/** Any bytes, HTTP or not, and the end of the connection. */
export const bytes =
  (text: string): Answer =>
  (response) =>
    response.socket?.end(Buffer.from(text, 'latin1'));

export interface Receiver {
  /** `http://127.0.0.1:port` without a path. */
  readonly url: string;
  readonly port: number;
  /** All requests so far, in the order in which they had arrived whole. */
  readonly received: readonly Received[];
  /** Connections so far, whether or not a request came. */
  readonly connections: () => number;
  /** Waits until no connection is open. */
  quiet(): Promise<void>;
  /** The next request that was not returned yet; waits for it. */
  next(): Promise<Received>;
  /**
   * From now on each request gets this answer; the first one of these, while there are several,
   * then the next.
   */
  answer(...answers: readonly [Answer, ...Answer[]]): void;
  /** Ends the open connections as well. */
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly host?: string;
  /** A free port by default. */
  readonly port?: number;
  readonly tls?: ServerOptions;
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

/**
 * A webhook receiver on loopback (on all addresses if `host` is empty), with TLS if it has a
 * certificate. It answers 204 by default.
 */
export const startReceiver = async ({ host = '127.0.0.1', port: wanted = 0, tls }: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  const sockets = new Set<Socket>();
  let taken = 0;
  let connections = 0;
  let script: readonly Answer[] = [respond(204)];

  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A request that breaks off is not counted.
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const whole = { method, path: url, headers: headersOf(request), body: Buffer.concat(chunks) };
      received.push(whole);
      if (waiting.length > 0) {
        taken += 1;
        waiting.shift()?.(whole);
      }
      const [answer = respond(204), ...rest] = script;
      if (rest.length > 0) script = rest;
      answer(response, whole);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    received,
    connections: () => connections,
    quiet: async () => {
      // Not by 'once' of node:events: a connection that the other side resets ends with an error before it closes.
      for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve));
    },
    next: () => {
      const found = received[taken];
      if (!found) return new Promise((resolve) => waiting.push(resolve));
      taken += 1;
      return Promise.resolve(found);
    },
    answer: (...answers) => {
      script = answers;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};

/**
 * The body of a delivery, once the published library of Standard Webhooks has accepted it; throws
 * when it refuses it.
 */
export const verified = (request: Received, secret: string): unknown =>
  new Webhook(secret).verify(request.body, { ...request.headers });
