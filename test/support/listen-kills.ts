import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { runMain, type MainProcess } from './main-process.ts';
import { openTestDatabase } from './postgres.ts';
import { startReceiver } from './receiver.ts';
import { asAdmin, SETTINGS, startProcess } from './server.ts';
import { pay } from './webhooks.ts';

/** Disturbances at this share of the events. */
export const DISTURBANCES = ['server SIGKILL', 'listen SIGKILL', 'server SIGTERM', 'listen SIGINT'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

interface Outcome {
  readonly sent: readonly string[];
  /** The ids as they arrived, repeats included. */
  readonly arrived: readonly string[];
  /** The ids in the order of the feed. */
  readonly feed: readonly string[];
}

/** Records an event; again with the same id when the server was away. */
const paid = async (server: { adminUrl: string }, storeId: string): Promise<string> => {
  const id = randomUUID();
  return eventually(() => pay(server, storeId, id));
};

/**
 * Events are recorded while `tenon listen` forwards them to a receiver, and the server and the command
 * are stopped and killed in turn, each time that another equal part of the events has arrived.
 */
export const listenThrough = async (count: number, disturbances: readonly Disturbance[]): Promise<Outcome> => {
  const [database, receiver, folder] = await Promise.all([
    openTestDatabase(),
    startReceiver(),
    mkdtemp(join(tmpdir(), 'tenon-listen-')),
  ]);
  // A listener knows its server by the address, so it stays the same.
  const adminPort = String(await freePort());
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const startServer = () => startProcess({ databaseUrl: database.url, env: { ADMIN_PORT: adminPort } });
  let server = await startServer();
  const made = await asAdmin(server, 'POST', '/admin/stores', { domain: 'listen.example' });
  const { id: storeId } = JSON.parse(made.body) as { id: string };
  const env = { TENON_ADMIN_URL: adminUrl, TENON_ADMIN_TOKEN: SETTINGS.ADMIN_TOKEN, XDG_STATE_HOME: folder };
  const startListening = (...words: string[]): MainProcess => {
    const main = join(inject('built'), 'src/main.js');
    return runMain({ command: [process.execPath, main, 'listen', '--forward-to', receiver.url, ...words], env });
  };
  let listener = startListening('--from', 'start');
  const disturb = async (kind: Disturbance): Promise<void> => {
    const [what, signal] = kind.split(' ') as ['server' | 'listen', NodeJS.Signals];
    if (what === 'server') {
      server.kill(signal);
      await server.exited;
      server = await startServer();
    } else {
      listener.child.kill(signal);
      await listener.ended;
      listener = startListening();
    }
  };
  try {
    const recording = (async () => {
      const ids: string[] = [];
      while (ids.length < count) ids.push(await paid({ adminUrl }, storeId));
      return ids;
    })();
    for (const [index, kind] of disturbances.entries()) {
      const share = Math.floor(((index + 1) * count) / (disturbances.length + 1));
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(share));
      await disturb(kind);
    }
    const sent = await recording;
    const arrivals = (): string[] => receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    await eventually(() => expect(new Set(arrivals()).size).toBe(count));
    listener.child.kill('SIGINT');
    await listener.ended;
    const feed: string[] = [];
    for (let after = ''; ;) {
      const { body } = await asAdmin(server, 'GET', `/admin/stores/${storeId}/events?take=250${after}`);
      const page = JSON.parse(body) as { items: { id: string }[]; next: string; more: boolean };
      feed.push(...page.items.map(({ id }) => id));
      if (!page.more) return { sent, arrived: arrivals(), feed };
      after = `&after=${page.next}`;
    }
  } finally {
    listener.child.kill('SIGKILL');
    await listener.ended;
    await server.end();
    await Promise.all([database.close(), receiver.close(), rm(folder, { recursive: true, force: true })]);
  }
};

/** Nothing is lost or out of order, and only a killed listener may send the one event again that it had under way. */
export const expectWhole = ({ sent, arrived, feed }: Outcome, disturbances: readonly Disturbance[]): void => {
  expect([...new Set(arrived)]).toEqual(feed);
  expect([...feed].sort()).toEqual([...sent].sort());
  expect(arrived.length - sent.length).toBeLessThanOrEqual(disturbances.filter((kind) => kind === 'listen SIGKILL').length);
  const repeated = arrived.filter((id, index) => arrived.indexOf(id) !== index);
  for (const id of repeated) expect(arrived.lastIndexOf(id) - arrived.indexOf(id)).toBe(1);
};
