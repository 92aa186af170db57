import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';

import { openTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.ts';
import type { History } from '../history.ts';
import { LANDED_FD, type ArmCommand, type FullFolder, type Command, type Bug, type Report } from '../node/commands.ts';
import type { Role } from '../node/points.ts';
import { until } from '../until.ts';
import type { Network } from './network.ts';
import type { Spares } from './spares.ts';

/** A process that serves, or did. */
export interface Node {
  readonly number: number;
  readonly role: Role;
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  readonly dispatcher: Agent;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Acts at the point the next time it comes there. */
  arm(order: Omit<ArmCommand, 'kind'>): void;
  /** There is no room in that folder from now on; null: there is again. */
  fillDisk(full: FullFolder | null): void;
  /** Resolves once it has heard of it, or will not: it has come to its point. */
  disarm(): Promise<void>;
  /** True when the process reached the point since it was armed, or met its full disk since that was filled. */
  hasReached(): boolean;
  kill(signal: NodeJS.Signals): void;
}

/** A place for a process, with its own way to the database. */
export interface Slot {
  readonly role: Role;
  readonly proxy: TcpProxy;
  clockOffsetMs: number;
  node: Node | null;
}

export interface FleetOptions {
  readonly spares: Spares;
  /** Network of the ways to the database; null for the loopback. */
  readonly network: Network | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** The address of all servers, past every proxy; null: each node has its own way. */
  readonly hosts: string | null;
  readonly plant: Bug | null;
  readonly history: History;
}

export interface Fleet {
  readonly slots: readonly Slot[];
  slotsOf(role: Role): readonly Slot[];
  /** Nodes that answer requests, a stopped one included. */
  apis(): readonly Node[];
  /**
   * Starts the slot's process again, which must have ended. A failed start is recorded and
   * repeated.
   */
  start(slot: Slot): Promise<void>;
  /** Starts every process again that ended by itself. */
  heal(): Promise<void>;
  /** Ends the slot's process by this signal, on purpose. */
  end(slot: Slot, signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sets whether a process may end. If it may not, its end counts as a collapse. */
  excuse(node: Node, mayEnd: boolean): void;
  close(): Promise<void>;
}

const STARTS = 3;

const tailOf = (path: string): string => readFileSync(path, 'utf8').slice(-2000);

const waitForListening = async (child: ChildProcess, log: string): Promise<{ url: string; adminUrl: string }> => {
  const ended = once(child, 'exit').then(([code, signal]: unknown[]): never => {
    throw new Error(`a process ended with ${String(code ?? signal)} before it listened: ${tailOf(log)}`);
  });
  const reported = once(child, 'message').then(([report]) => {
    const answer = report as Report;
    if (answer.kind !== 'listening') throw new Error(answer.kind === 'failed' ? answer.message : `${answer.kind}?`);
    return answer;
  });
  ended.catch(() => undefined);
  return Promise.race([reported, ended]);
};

/** A load balancer sends nothing to a node before. While the database is away there is nothing to wait for. */
const READY_WITHIN_MS = 5_000;

const isReady = async (adminUrl: string): Promise<boolean> => {
  const answer = await request(`${adminUrl}/readyz`).catch(() => null);
  await answer?.body.dump();
  return answer?.statusCode === 200;
};

export const openFleet = async (roles: readonly Role[], options: FleetOptions): Promise<Fleet> => {
  const { spares, network, settings, databaseUrl, hosts, plant, history } = options;
  const excused = new Set<number>();
  const slots: Slot[] = [];
  for (const role of roles)
    slots.push({ role, proxy: await openTcpProxy(databaseUrl, await network?.listen()), clockOffsetMs: 0, node: null });

  const tryToStart = async (slot: Slot): Promise<void> => {
    const { child, number, log } = await spares.take();
    const send = (order: Command): void => {
      if (child.connected) child.send(order, () => undefined);
    };
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
    let reached = false;
    (child.stdio[LANDED_FD] as Readable).on('data', () => {
      reached = true;
    });
    const listening = waitForListening(child, log);
    send({
      kind: 'start',
      settings: { ...settings, ROLE: slot.role },
      databaseUrl: hosts ?? slot.proxy.url,
      clockOffsetMs: slot.clockOffsetMs,
      plant,
    });
    const { url, adminUrl } = await listening.catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
    await until(async () => child.exitCode !== null || (await isReady(adminUrl)), READY_WITHIN_MS);
    const node: Node = {
      number,
      role: slot.role,
      url,
      adminUrl,
      pid: child.pid ?? 0,
      dispatcher: new Agent({ connect: { timeout: 2_000 }, headersTimeout: 4_000, bodyTimeout: 4_000 }),
      ended,
      arm: (order) => {
        reached = false;
        send({ kind: 'arm', ...order });
      },
      fillDisk: (full) => {
        if (full) reached = false;
        send({ kind: 'disk', full });
      },
      disarm: async () => {
        const heard = once(child, 'message');
        heard.catch(() => undefined);
        send({ kind: 'disarm' });
        const giveUp = new AbortController();
        const landed = until(() => reached || giveUp.signal.aborted, 10_000, 2);
        await Promise.race([heard, ended, landed]);
        giveUp.abort();
      },
      hasReached: () => reached,
      kill: (signal) => void child.kill(signal),
    };
    slot.node = node;
    void ended.then(({ code, signal }) => {
      slot.node = null;
      void node.dispatcher.destroy();
      if (!excused.has(number))
        history.collapses.push(`node ${number} (${slot.role}) ended with ${String(code ?? signal)}: ${tailOf(log)}`);
    });
  };
  const start = async (slot: Slot): Promise<void> => {
    for (let left = STARTS - 1; ; left -= 1) {
      try {
        await tryToStart(slot);
        return;
      } catch (error) {
        if (left === 0) throw error;
        history.collapses.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const excuse = (node: Node, mayEnd: boolean): void => {
    if (mayEnd) excused.add(node.number);
    else excused.delete(node.number);
  };
  const end: Fleet['end'] = async (slot, signal) => {
    const { node } = slot;
    if (!node) return { code: null, signal: null };
    excuse(node, true);
    node.kill(signal);
    return node.ended;
  };
  await Promise.all(slots.map(start));
  return {
    slots,
    slotsOf: (role) => slots.filter((slot) => slot.role === role),
    apis: () => slots.flatMap(({ role, node }) => (role === 'api' && node ? [node] : [])),
    start,
    heal: async () => {
      for (const slot of slots) if (!slot.node) await start(slot);
    },
    end,
    excuse,
    close: async () => {
      await Promise.all(slots.map((slot) => end(slot, 'SIGKILL')));
      await Promise.all(slots.map(({ proxy }) => proxy.close()));
    },
  };
};
