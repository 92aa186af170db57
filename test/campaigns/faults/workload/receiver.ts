import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { now, type DeliveryHistory } from '../history.ts';
import type { Random } from '../random.ts';

/** Who receives: `secret` signs what comes. */
export interface Recipient {
  readonly secret: string;
  /** Delay of each answer: a slow one lets deliveries queue up. */
  readonly delayMs: number;
}

export interface Receiver {
  /** The address for a recipient's subscriptions. */
  urlOf(recipient: string): string;
  readonly recipients: Map<string, Recipient>;
  /** The subscriptions and the recipients whose removal has been answered. */
  readonly removed: Set<string>;
  close(): Promise<void>;
}

/** Share of answers that are errors, so that there are retries. */
const FAILURES = 0.03;
/**
 * An attempt that broke off shows it immediately. An attempt that is alive after this time is
 * running.
 */
const LATE_MS = 300;

/** Verifies Standard Webhooks 1.0.0 without a check of the clock: the signed time counts. */
const isSigned = (headers: IncomingHttpHeaders, body: string, secret: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
};

const bodyOf = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // A request that breaks off is not counted.
    return null;
  }
  return Buffer.concat(chunks).toString();
};

/** Takes what is delivered and writes it down. */
export const openReceiver = async (deliveries: DeliveryHistory[], random: Random): Promise<Receiver> => {
  const recipients = new Map<string, Recipient>();
  const removed = new Set<string>();
  const sockets = new Set<Socket>();

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (body === null) return;
    const at = now();
    const name = request.url?.slice(1) ?? '';
    const recipient = recipients.get(name);
    const subscriptionId = String(request.headers['webhook-subscription-id']);
    const isLate = removed.has(subscriptionId) || removed.has(name);
    await pause(isLate ? LATE_MS : (recipient?.delayMs ?? 0));
    deliveries.push({
      subscriptionId,
      eventId: String(request.headers['webhook-id']),
      at,
      body,
      signed: recipient ? isSigned(request.headers, body, recipient.secret) : null,
      alive: isLate && !request.socket.destroyed,
    });
    if (!response.destroyed) response.writeHead(random.chance(FAILURES) ? 500 : 204).end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (recipient) => `http://127.0.0.1:${port}/${recipient}`,
    recipients,
    removed,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
