import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { inject } from 'vitest';

import { eventually } from './eventually.ts';
import { runMain, type MainProcess } from './main-process.ts';
import { SETTINGS } from './server.ts';

export interface LogLine {
  readonly msg: string;
  readonly pid?: number;
  readonly process?: number;
  readonly requestId?: string;
  readonly url?: string;
  readonly adminUrl?: string;
}

export interface LaneAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A connection that stays with the process that accepted it. */
export interface Lane {
  call(path: string, options?: { method?: string; headers?: OutgoingHttpHeaders; body?: string }): Promise<LaneAnswer>;
  close(): void;
}

export interface Workers {
  readonly main: MainProcess;
  readonly url: string;
  readonly adminUrl: string;
  /** The lines of its log so far. */
  log(): LogLine[];
  /** The API processes that run now, by their place. */
  pids(): readonly number[];
  /** A connection that the process accepts. */
  laneTo(pid: number): Promise<Lane>;
}

const laneOf = (url: string): Lane => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    call: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(`${url}${path}`, { agent, method, headers }, resolve).on('error', reject);
        sent.end(body);
      });
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode ?? 0, headers: response.headers, body: text };
    },
    close: () => agent.destroy(),
  };
};

/** A request on a connection of its own. */
export const callOnce = async (url: string): Promise<LaneAnswer> => {
  const lane = laneOf(url);
  return lane.call('').finally(() => lane.close());
};

/** True while it runs. */
export const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Starts a node of several processes, and waits until it listens. Without a database of the tests
 * it has one of its own, in the DATA_DIR that `env` names.
 */
export const startWorkers = async (databaseUrl: string | null, env: Readonly<Record<string, string>>): Promise<Workers> => {
  const stored = databaseUrl !== null && { MEDIA_STORAGE: inject('mediaDirectory'), DATABASE_URL: databaseUrl };
  const settings = { ...SETTINGS, ...stored, ...env };
  const main = runMain({ env: settings });
  await main.says('"msg":"listening"');
  const log = (): LogLine[] =>
    main
      .out()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  const { url = '', adminUrl = '' } = log().find(({ msg }) => msg === 'listening') ?? {};
  const pids = (): number[] => {
    const places = new Map(
      log().flatMap(({ msg, process: place, pid }) => (msg === 'an API process listens' ? [[place, pid ?? 0]] : [])),
    );
    return [...places.values()];
  };
  return {
    main,
    url,
    adminUrl,
    log,
    pids,
    laneTo: async (pid) => {
      const others = pids().filter((other) => other !== pid && runs(other));
      const lane = laneOf(url);
      for (const other of others) process.kill(other, 'SIGSTOP');
      try {
        const { headers } = await lane.call('/healthz');
        // The line is written a moment after the answer.
        const line = await eventually(() => {
          const found = log().find(({ requestId }) => requestId === headers['x-request-id']);
          if (found === undefined) throw new Error('not logged yet');
          return found;
        });
        if (line.pid !== pid) throw new Error(`process ${String(line.pid)} answered in place of ${String(pid)}`);
        return lane;
      } finally {
        for (const other of others) process.kill(other, 'SIGCONT');
      }
    },
  };
};
