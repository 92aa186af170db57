import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';

import { addressFault, type Address } from '../../../startup/addresses.ts';
import type { ErrorShape } from '../../route-declaration.ts';
import { answerExpectations } from '../reply/continue.ts';
import { limitPerAddress, shareOf } from './address-share.ts';
import type { TrustsProxy } from './host.ts';
import { readable, refuseUnreadable } from './unreadable.ts';

/**
 * The classes of a server's requests and responses, for `createServer`. They have what the app adds
 * from the beginning. Otherwise Express replaces the prototype of each request and response, and V8
 * is slow with an object from then on: a third of the time of a request in this process.
 */
export const messageClasses = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};

export interface Listener {
  readonly url: string;
  /** From now on each connection ends with its next answer, so that proxies look for another server. It still accepts new ones. */
  drain(): void;
  /**
   * Stops accepting, waits at most `graceMs` milliseconds for running requests, then cuts the
   * remaining connections.
   */
  close(graceMs: number): Promise<void>;
}

const HEADERS_MS = 10_000;

export interface ListenOptions extends Address {
  readonly log: Logger;
  /** The form of errors outside routes, for input that is not HTTP. */
  readonly errors: ErrorShape;
  /** Milliseconds that a request may take to arrive, unless `allowAnyTime` excepts it. */
  readonly requestTimeoutMs: number;
  /** Connections at once. One more is closed at once, and `onConnectionRefused` counts it. */
  readonly maxConnections: number;
  readonly onConnectionRefused: () => void;
  /** Peers that may hold any number of the connections. Any other address has a share of them. */
  readonly trusts: TrustsProxy;
}

const ACCEPTING_MS = 1_000;

/**
 * Accepts the connections that wait in the queue of the socket: the system resets them where the socket closes first, and a proxy
 * does not send a POST again after that. A new one may come at any time, so the last one has come where a turn of the event loop
 * brings none, or after `ACCEPTING_MS`.
 */
const acceptWaiting = async (server: Server): Promise<void> => {
  let accepted = 0;
  const count = (): number => (accepted += 1);
  server.on('connection', count);
  const end = performance.now() + ACCEPTING_MS;
  do {
    accepted = 0;
    await turn();
    await turn();
  } while (accepted > 0 && performance.now() < end);
  server.off('connection', count);
};

/** Opens the port for the app. Throws a StartFailure when the port or the address is not available. */
export const listen = async (app: Express, options: ListenOptions): Promise<Listener> => {
  const { onRequest, refuseExpectation } = readable(app, options.log, options.errors);
  let isDraining = false;
  const server = createServer(
    // Node allows 60 s for the headers and 300 s for the request, which is too long for a public listener.
    {
      headersTimeout: Math.min(HEADERS_MS, options.requestTimeoutMs),
      requestTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
      // The app refuses a request without a Host itself.
      requireHostHeader: false,
      ...messageClasses(app),
    },
    (request, response) => {
      if (isDraining) response.shouldKeepAlive = false;
      onRequest(request, response);
    },
  );
  // Node drops what exceeds its 2,000 headers without a word. All of them together have at most 16 KB, or the answer is 431.
  server.maxHeadersCount = 0;
  server.maxConnections = options.maxConnections;
  server.on('drop', options.onConnectionRefused);
  const { maxConnections, onConnectionRefused: onRefused, trusts } = options;
  limitPerAddress(server, { most: shareOf(maxConnections), trusts, onRefused });
  answerExpectations(server, refuseExpectation);
  refuseUnreadable(server, options.log, options.errors);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(addressFault(error, options));
    });
    server.listen(options.port, options.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${String(port)}`,
    drain: () => {
      isDraining = true;
    },
    close: async (graceMs) => {
      await acceptWaiting(server);
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      // A connection that is kept alive becomes idle only after its last response.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
      }, 50);
      const cut = setTimeout(() => {
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
};
