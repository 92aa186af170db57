import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';

import { StartFailure } from '../../wiring/start-failure.ts';
import { answerExpectations } from './continue.ts';
import type { ErrorShape } from '../route.ts';
import { refuseUnreadable } from './unreadable.ts';

export interface Listener {
  /** http://host:port, with the port that was really taken. */
  readonly url: string;
  /** Stops accepting, waits at most `graceMs` milliseconds for running requests, then cuts the remaining connections. */
  close(graceMs: number): Promise<void>;
}

const HEADERS_MS = 10_000;

export interface ListenOptions {
  readonly log: Logger;
  /** The form of errors outside routes, for input that is not HTTP. */
  readonly errors: ErrorShape;
  readonly host: string;
  readonly port: number;
  /** The settings' names, for a message that tells what to change. */
  readonly portSetting: string;
  readonly hostSetting: string;
  /** Milliseconds a request may take to arrive, but for one that `allowAnyTime` has named. */
  readonly requestTimeoutMs: number;
  /** Connections at once. One more is closed as it opens, and counted by `onConnectionRefused`. */
  readonly maxConnections: number;
  readonly onConnectionRefused: () => void;
}

const listenFault = (error: NodeJS.ErrnoException, { host, port, portSetting, hostSetting }: ListenOptions): StartFailure => {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${String(port)} on ${host} is taken: stop what listens there or set ${portSetting}`,
    EACCES: `port ${String(port)} on ${host} may not be opened by this user: set ${portSetting}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: set ${hostSetting}`,
    ENOTFOUND: `${host} is not an address of this machine: set ${hostSetting}`,
  };
  return new StartFailure(reasons[error.code ?? ''] ?? `cannot listen on ${host}:${String(port)}: ${error.message}`, {
    cause: error,
  });
};

/** Listens for the app. Throws a StartFailure for a port or address that can't be had. */
export const listen = async (app: Express, options: ListenOptions): Promise<Listener> => {
  const server = createServer(
    // Node's own are too loose for a public listener: 60 s for headers, 300 s for the request.
    {
      headersTimeout: Math.min(HEADERS_MS, options.requestTimeoutMs),
      requestTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
      // The app refuses a request without a Host, in its own way.
      requireHostHeader: false,
    },
    app,
  );
  server.maxConnections = options.maxConnections;
  server.on('drop', options.onConnectionRefused);
  answerExpectations(server);
  refuseUnreadable(server, options.log, options.errors);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenFault(error, options));
    });
    server.listen(options.port, options.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${String(port)}`,
    close: async (graceMs) => {
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      // A kept-alive connection becomes idle only after its last answer.
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
