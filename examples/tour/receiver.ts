import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TenonEvent } from 'tenon-client';
import { receiver } from 'tenon-client/webhooks';

import { ExampleFailure, must } from '../host/http.ts';

export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they arrived: the signature covers these, not what a parser makes of them. */
  readonly body: Buffer;
  /** Milliseconds on a clock that never jumps. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /**
   * The next delivery to this path that was not returned yet; throws a ExampleFailure when none comes
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
      all.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks), at: performance.now() });
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
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
      try {
        for (;;) {
          const found = all.find((arrival) => arrival.path === path && !taken.has(arrival));
          if (found) {
            taken.add(found);
            return found;
          }
          await once(news, 'arrival', { signal: patience.signal });
        }
      } catch {
        throw new ExampleFailure(`nothing arrived at ${path} within ${PATIENCE_MS / 1000} s`);
      } finally {
        clearTimeout(timer);
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

/** The event of a delivery, once the receiver of tenon-client has accepted it. */
export const verified = async ({ body, headers }: Arrival, signingSecret: string): Promise<TenonEvent> => {
  const events: TenonEvent[] = [];
  const hooks = receiver({ secrets: [signingSecret] }).otherwise((event) => events.push(event as TenonEvent));
  const { reason } = await hooks.deliver(body, (name) => headers[name]);
  const [event] = events;
  must(event !== undefined, `tenon-client refused the delivery ${String(headers['webhook-id'])}: ${reason}`);
  return event;
};

/** Sends the event to the receiver, which must refuse it. */
export const isRefused = async ({ body, headers }: Arrival, signingSecret: string): Promise<boolean> =>
  (await receiver({ secrets: [signingSecret] }).deliver(body, (name) => headers[name])).status === 400;
