import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

import { TourFailure } from './http.ts';

export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they arrived: the signature covers these, not what a parser makes of them. */
  readonly body: string;
  /** Milliseconds on a clock that never jumps. */
  readonly at: number;
}

/** The body of a delivery (docs/webhooks.md). */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly storeId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly url: string;
  /**
   * The next delivery to this path that was not returned yet; throws a TourFailure when none comes
   * within a minute.
   */
  next(path: string): Promise<Arrival>;
  /** All deliveries to this path so far. */
  arrived(path: string): readonly Arrival[];
  /** Answers the next delivery with 500 in place of 204. */
  failNext(): void;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

/** A receiver of webhooks on a free port of loopback. */
export const startReceiver = async (): Promise<Receiver> => {
  const all: Arrival[] = [];
  const taken = new Set<Arrival>();
  const news = new EventEmitter();
  let failing = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A request that breaks off does not count.
    request.on('error', () => undefined);
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      all.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      response.writeHead(failing ? 500 : 204).end();
      failing = false;
      news.emit('arrival');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: async (path) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      for (;;) {
        const found = all.find((arrival) => arrival.path === path && !taken.has(arrival));
        if (found) {
          taken.add(found);
          return found;
        }
        await once(news, 'arrival', { signal }).catch(() => {
          throw new TourFailure(`nothing arrived at ${path} within ${PATIENCE_MS / 1000} s`);
        });
      }
    },
    arrived: (path) => all.filter((arrival) => arrival.path === path),
    failNext: () => (failing = true),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** The event of a delivery, once the published library of Standard Webhooks has accepted it. */
export const verified = ({ body, headers }: Arrival, signingSecret: string): WebhookEvent => {
  try {
    return new Webhook(signingSecret).verify(body, headers) as WebhookEvent;
  } catch (error) {
    throw new TourFailure(`standardwebhooks refused the delivery ${String(headers['webhook-id'])}: ${String(error)}`);
  }
};

/** Whether that library refuses it. */
export const isRefused = ({ body, headers }: Arrival, signingSecret: string): boolean => {
  try {
    new Webhook(signingSecret).verify(body, headers);
    return false;
  } catch {
    return true;
  }
};
