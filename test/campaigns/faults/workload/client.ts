import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { errors, request, type Dispatcher } from 'undici';

import type { Ask } from '../../kit/merchant.ts';
import type { Node } from '../environment/fleet.ts';
import { now, type Answer, type Attempt } from '../history.ts';
import type { World } from '../world.ts';

const isAdmin = ({ path }: Ask): boolean => path.startsWith('/admin/');

/**
 * Sends it once, to this process, and waits for the answer at most as long as the dispatcher does:
 * by default the process's.
 */
export const send = async (node: Node, ask: Ask, dispatcher: Dispatcher = node.dispatcher): Promise<Attempt> => {
  const sentAt = now();
  const { method = 'GET', headers, body } = ask;
  let answer: Answer | null = null;
  let left = false;
  try {
    const url = `${isAdmin(ask) ? node.adminUrl : node.url}${ask.path}`;
    const response = await request(url, { dispatcher, method, headers, ...(body !== undefined && { body }) });
    const text = await response.body.text();
    answer = {
      status: response.statusCode,
      replay: response.headers['idempotent-replay'] === 'true',
      contentType: String(response.headers['content-type']),
      body: text,
    };
  } catch (error) {
    // Refused or cut: its client knows nothing. One that waited long enough went away by itself.
    left = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  }
  return { node: node.number, sentAt, endedAt: now(), answer, left };
};

/** Where a client goes away by itself. */
export const PHASES = ['connected', 'head', 'body', 'sent', 'answer'] as const;
export type Phase = (typeof PHASES)[number];

const rawOf = ({ method = 'GET', path, headers, body = '' }: Ask, phase: Phase): string => {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  if (phase === 'connected') return '';
  if (phase === 'head') return head.slice(0, head.length / 2);
  return phase === 'body' ? head + body.slice(0, body.length / 2) : head + body;
};

/** Sends it and goes away at that phase. Null when it could not go so far. */
export const leave = async (node: Node, ask: Ask, phase: Phase): Promise<Attempt | null> => {
  const sentAt = now();
  const { hostname, port } = new URL(node.url);
  const socket = createConnection(Number(port), hostname);
  const reached = await new Promise<boolean>((resolve) => {
    const text = rawOf(ask, phase);
    socket.setTimeout(4_000, () => resolve(false));
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    if (phase === 'answer') socket.once('data', () => resolve(true));
    socket.once('connect', () => {
      if (text === '') resolve(true);
      else
        socket.write(text, () => {
          if (phase !== 'answer') resolve(true);
        });
    });
  });
  socket.destroy();
  return reached ? { node: node.number, sentAt, endedAt: now(), answer: null, left: true } : null;
};

/** Not yet, not all, or nobody knows: a good client asks again. SIGTERM stops an import, which says how far it came. */
export const isOpen = ({ status, body }: Answer): boolean =>
  status >= 500 ||
  status === 429 ||
  (status === 409 && body.includes('idempotency_in_progress')) ||
  (status === 200 && body.includes('"ended":"stopped"'));

/**
 * Sends it again and again, each time to one of the processes that answer requests, until one
 * answers for good; null when the round gives up. It waits a tenth of a second between, less than
 * Retry-After asks for, so that what is measured is the service and not the client's patience.
 */
export const insist = async (world: World, ask: Ask, record: (attempt: Attempt) => void): Promise<Answer | null> => {
  const { fleet, clock } = world;
  while (!clock.givesUp()) {
    const nodes = fleet.apis();
    if (nodes.length > 0) {
      const attempt = await send(world.random.pick(nodes), ask);
      record(attempt);
      if (attempt.answer && !isOpen(attempt.answer)) return attempt.answer;
    }
    await pause(world.random.between(50, 150));
  }
  return null;
};

/** Sends a request that has no key and writes nothing. */
export const settle = (world: World, name: string, ask: Ask): Promise<Answer | null> =>
  insist(world, ask, (attempt) => world.history.others.push({ name, attempt }));

/** Once, while nothing is broken, however long it takes: throws at any refusal. */
export const must = async <T>({ fleet }: World, ask: Ask): Promise<T> => {
  const [node] = fleet.apis();
  const url = `${(isAdmin(ask) ? node?.adminUrl : node?.url) ?? ''}${ask.path}`;
  const { method = 'GET', headers, body } = ask;
  const response = await request(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${ask.path}: ${response.statusCode} ${text}`);
  return JSON.parse(text) as T;
};
