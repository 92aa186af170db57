import { connect } from 'node:net';
import { Agent } from 'undici';

import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts';

export interface Attack {
  /** Description of the attack. */
  readonly what: string;
  /** http://host:port of the listener. */
  readonly base: string;
  readonly method: string;
  /** With its query, as it is sent. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** The allowed statuses; by default all below 500. */
  readonly wanted?: readonly number[];
  /** Connections of its own: what others send can't make it wait in the client. */
  readonly lane?: string;
  /** Milliseconds until the answer begins, and between parts of it; 20 s by default. */
  readonly deadlineMs?: number;
  /** The answer shows new credentials, as the routes do that make them. */
  readonly makesSecrets?: boolean;
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Kind = '5xx' | 'hang' | 'no answer' | 'leak' | 'wrong answer' | 'error in the log' | 'stall' | 'memory';

/** A violation, described so that it can be repeated by hand. */
export interface Violation {
  readonly kind: Kind;
  readonly about: string;
}

/** Raw bytes, on a connection of their own. */
export interface RawAttack {
  readonly what: string;
  readonly base: string;
  readonly bytes: string | Buffer;
  /**
   * Milliseconds for the answer and the end of the connection; the server gives up on half a
   * request after 30 s.
   */
  readonly deadlineMs?: number;
}

export interface Attacker {
  readonly secrets: KnownSecrets;
  readonly violations: readonly Violation[];
  /** Requests so far, and how many had each status. */
  readonly requests: () => number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly slowestMs: () => number;
  /** Lines of logs that were searched. */
  readonly logLines: () => number;
  /** Sends it and judges the answer. */
  send(shot: Attack): Promise<Answer>;
  /** All that came back, as latin-1; judged likewise. */
  sendRaw(shot: RawAttack): Promise<string>;
  /** A line of a server's log. */
  logged(line: string): void;
  violate(kind: Kind, about: string): void;
  /** A server's memory now, in MB. */
  weighed(rss: number): void;
  /** MB, at most of any server so far. */
  readonly peakRss: () => number;
  close(): Promise<void>;
}

const DEADLINE_MS = 20_000;
const RAW_DEADLINE_MS = 45_000;
const EXCERPT = 300;

const excerpt = (text: string): string => JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}...` : text);
const told = ({ what, method, path, body = '' }: Attack): string =>
  `${what}: ${method} ${path.slice(0, EXCERPT)} ${excerpt(body.toString())}`;

const isTimeout = (error: unknown): boolean => error instanceof Error && /timeout/i.test(`${error.name} ${error.message}`);

/** The first bytes of a stream that has no end. Its connection is closed. */
const beginningOf = async (body: AsyncIterable<Buffer>): Promise<string> => {
  for await (const bytes of body) return bytes.toString();
  return '';
};

const send = async ({ base, method, path, headers, body, deadlineMs = DEADLINE_MS }: Attack, agent: Agent): Promise<Answer> => {
  const patience = { headersTimeout: deadlineMs, bodyTimeout: deadlineMs };
  const answer = await agent.request({ origin: base, path, method, headers: { ...headers }, body: body ?? null, ...patience });
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream');
  const text = isEndless ? await beginningOf(answer.body) : await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, body: text };
};

/** A stream that has no end, with its first bytes. */
const BEGUN = /\r\ncontent-type: text\/event-stream.*\r\n\r\n./is;

/**
 * Writes the bytes and reads until the connection ends, or a stream without an end begins; null
 * after the deadline. A reset ends it as well.
 */
const exchange = ({ base, bytes, deadlineMs = RAW_DEADLINE_MS }: RawAttack): Promise<string | null> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const late = setTimeout(() => {
      resolve(null);
      socket.destroy();
    }, deadlineMs);
    socket
      .on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (BEGUN.test(text)) socket.destroy();
      })
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(late);
        resolve(text);
      });
  });

/**
 * Where all shots go through: each with a deadline, each answer judged, each secret remembered and
 * looked for.
 */
export const openAttacker = (): Attacker => {
  const secrets = createKnownSecrets();
  const agents = new Map<string, Agent>();
  // The server ends a connection that was idle for 5 s. A request that is sent at that moment has no answer, so idle ones end well before.
  const options = { connections: 64, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 };
  const agentOf = (lane: string): Agent => {
    const agent = agents.get(lane) ?? new Agent(options);
    agents.set(lane, agent);
    return agent;
  };
  const violations: Violation[] = [];
  const statuses = new Map<number, number>();
  let requests = 0;
  let slowestMs = 0;
  let logLines = 0;
  let peakRss = 0;

  const violate: Attacker['violate'] = (kind, about) => void violations.push({ kind, about });
  const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const searched = (text: string, about: string): void => {
    for (const secret of secrets.leaksIn(text)) violate('leak', `${secret} in ${about}`);
  };
  const judge = (shot: Attack, { status, headers, body }: Answer): void => {
    count(status);
    if (status >= 500) violate('5xx', `${status} to ${told(shot)}: ${excerpt(body)}`);
    else if (shot.wanted && !shot.wanted.includes(status)) {
      violate('wrong answer', `${status}, not ${shot.wanted.join(' or ')}, to ${told(shot)}: ${excerpt(body)}`);
    }
    // A problem's `instance` is the path that its sender sent.
    searched(`${JSON.stringify(headers)} ${body.replaceAll(shot.path, '')}`, `the answer to ${told(shot)}`);
    if (shot.makesSecrets) secrets.rememberAll(body);
  };
  return {
    secrets,
    violations,
    statuses,
    requests: () => requests,
    slowestMs: () => slowestMs,
    logLines: () => logLines,
    violate,
    weighed: (rss) => void (peakRss = Math.max(peakRss, Math.round(rss))),
    peakRss: () => peakRss,
    send: async (shot) => {
      requests += 1;
      const begun = performance.now();
      try {
        const answer = await send(shot, agentOf(shot.lane ?? ''));
        judge(shot, answer);
        return answer;
      } catch (error) {
        violate(isTimeout(error) ? 'hang' : 'no answer', `${told(shot)}: ${String(error)}`);
        return { status: 0, headers: {}, body: '' };
      } finally {
        slowestMs = Math.max(slowestMs, performance.now() - begun);
      }
    },
    sendRaw: async (shot) => {
      requests += 1;
      const text = await exchange(shot);
      const about = `${shot.what}: ${excerpt(shot.bytes.toString('latin1'))}`;
      if (text === null) violate('hang', about);
      const answers = [...(text ?? '').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
      for (const status of answers) {
        count(status);
        if (status >= 500) violate('5xx', `${status} to ${about}`);
      }
      searched(text ?? '', `the answer to ${about}`);
      return text ?? '';
    },
    logged: (line) => {
      logLines += 1;
      searched(line, `the log: ${excerpt(line)}`);
      if (/"level":"(error|fatal)"/.test(line)) violate('error in the log', line.slice(0, 1_000));
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
};

/** Runs the work for every item, with a limited number at a time. */
export const each = async <T>(items: Iterable<T>, work: (item: T) => Promise<unknown>, atOnce = 8): Promise<void> => {
  const waiting = items[Symbol.iterator]();
  const gun = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, gun));
};
