import type { AskBackends, ServerBackend, BackendsAnswer, Doing } from './backends.ts';

export interface Limit {
  readonly ms: number;
  /**
   * True where the server ends each statement earlier. Otherwise a statement may take longer, as
   * long as the server works on it.
   */
  readonly isServers: boolean;
}

export interface WatchOptions {
  /** The limit of a connection whose statements have no other. */
  readonly limit: Limit;
  /** Asks what the server does for connections that are silent. Without it nobody asks. */
  readonly ask?: AskBackends;
}

/** A connection, as the watch sees it. */
export interface Watched {
  /** Known once it is prepared. Only then the server can be asked about it. */
  readonly backend: ServerBackend | null;
  readonly limit: Limit;
  /** While it is idle, it is asked for a sign of life after this silence. */
  readonly beatMs: number;
  /** Changes whenever the connection is alive: bytes have come, or lines of a COPY have been passed on. */
  readonly progress: number;
  /** True while the server rightly waits for this process, which has more lines or does not read them yet. */
  readonly isOurTurn: boolean;
  /** True while the server owes an answer, or the end of the connection, or has not taken what was sent. */
  readonly isWaiting: boolean;
  /** True while the connection waits for the end of a transaction. */
  readonly isCommitting: boolean;
  /** True while a statement is still on its way out. */
  readonly hasUnsent: boolean;
  readonly isEnding: boolean;
  /** True without a statement in flight. */
  readonly isFree: boolean;
  /** True while the server is not the primary: the connection takes nothing new, and ends soon. */
  readonly isRetired: boolean;
  retire(): void;
  /** A statement that is not answered ends the connection, like any other. */
  beat(): void;
  destroy(error: Error): void;
}

/** Observations of a connection. Times are milliseconds. */
interface Seen {
  progress: number;
  /** Since the last byte came. */
  quietMs: number;
  /** Since the last byte came while an answer is owed; null when none is. */
  silentMs: number | null;
  retiredMs: number;
}

const LOOK_MS = 250;
/** After this silence the server is asked, and again after as long. */
const ASK_MS = 2_000;
/** A server that does not answer is given this long to end a connection in order. */
const END_MS = 1_000;
/** Time for in-flight statements on a server that is not the primary. */
const RETIRE_MS = 1_000;

/** Has the code of a socket that timed out, so that it counts as an outage. */
class ConnectionLost extends Error {
  readonly code = 'ETIMEDOUT';
}

/** The client waits for longer than the server, which also has to say that it ended a statement. */
const GRACE_MS = 2_000;
/** Limit for statements that the server does not limit. */
const UNLIMITED_MS = 12_000;

/** The limit for statements that the server ends after this many milliseconds; never for 0 and undefined. */
export const statementLimit = (timeoutMs = 0): Limit =>
  timeoutMs > 0 ? { ms: timeoutMs + GRACE_MS, isServers: true } : { ms: UNLIMITED_MS, isServers: false };

/** Undefined of a connection that the server does not have. It cannot know a statement that has not arrived whole. */
const doingOf = ({ backend, hasUnsent }: Watched, answer: NonNullable<BackendsAnswer>): Doing | undefined => {
  if (answer === 'refused') return 'works';
  const found = answer.find(({ pid, startedAt }) => pid === backend?.pid && startedAt === backend.startedAt);
  return found?.doing === 'waits' && hasUnsent ? 'unknown' : found?.doing;
};

/**
 * The deadline of every statement on some connections to one database. It looks at the bytes that
 * have come, a few times a second, and so costs a statement nothing. A connection that owes an
 * answer and is silent for longer than its limit is destroyed: everything that waits on it fails,
 * and the next statement gets a new connection. What is silent is not always slow: so the server is
 * asked over another connection, and one that it has lost, or on which it waits for us, ends at
 * once.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #clients = new Map<Watched, Seen>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #askedAt = -Infinity;
  /**
   * Backends whose commits wait for a standby. The server keeps them, also those whose connection
   * was ended.
   */
  #stalled: readonly ServerBackend[] = [];
  #isAsking = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get limit(): Limit {
    return this.#options.limit;
  }

  /**
   * True while commits wait for a standby, so that another commit would as well. Then none is
   * begun: the server would keep each commit that is given up, until it has no more connections.
   */
  get isStalled(): boolean {
    return this.#stalled.length > 0;
  }

  add(client: Watched): void {
    this.#clients.set(client, { progress: client.progress, quietMs: 0, silentMs: null, retiredMs: 0 });
    if (this.#timer) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  remove(client: Watched): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The connection's server takes no writes, so the next connection has to find the one that does. */
  turnAway(client: Watched, error: Error): void {
    this.#end(client, error);
    for (const other of this.#clients.keys()) other.retire();
  }

  #look(): void {
    const now = performance.now();
    // A process that was paused has not waited: what came meanwhile is read after this turn.
    const elapsed = Math.min(now - this.#lookedAt, 2 * LOOK_MS);
    this.#lookedAt = now;
    for (const [client, seen] of [...this.#clients]) this.#lookAt(client, seen, elapsed);
    const silent = [...this.#clients].filter(([{ backend }, { silentMs }]) => backend !== null && (silentMs ?? 0) >= ASK_MS);
    if ((silent.length === 0 && !this.isStalled) || this.#isAsking || now - this.#askedAt < ASK_MS) return;
    this.#askedAt = now;
    void this.#inquire(silent);
  }

  #lookAt(client: Watched, seen: Seen, elapsed: number): void {
    const { progress, isWaiting } = client;
    const wasSilent = progress === seen.progress;
    seen.progress = progress;
    seen.quietMs = wasSilent ? seen.quietMs + elapsed : 0;
    if (client.isRetired) {
      seen.retiredMs += elapsed;
      if (client.isFree || seen.retiredMs >= RETIRE_MS) {
        this.#end(client, new ConnectionLost('The server of this connection is not the primary'));
        return;
      }
    }
    if (isWaiting) {
      seen.silentMs = wasSilent && seen.silentMs !== null ? seen.silentMs + elapsed : 0;
      const limitMs = client.isEnding ? END_MS : client.limit.ms;
      // Received data is read before the connection is judged.
      if (seen.silentMs > limitMs) setImmediate(() => this.#judge(client, limitMs));
      return;
    }
    seen.silentMs = null;
    if (seen.quietMs >= client.beatMs && client.isFree) client.beat();
  }

  #judge(client: Watched, limitMs: number): void {
    const seen = this.#clients.get(client);
    if (seen && client.isWaiting && client.progress === seen.progress) {
      this.#lose(client, seen, `The database did not answer for ${String(limitMs)} ms`);
    }
  }

  async #inquire(silent: readonly (readonly [Watched, Seen])[]): Promise<void> {
    const before = silent.map(([client, seen]) => ({ client, seen, progress: client.progress }));
    this.#isAsking = true;
    const pids = [...silent.map(([{ backend }]) => backend), ...this.#stalled].flatMap((backend) => backend?.pid ?? []);
    const answer = (await this.#options.ask?.(pids)) ?? null;
    this.#isAsking = false;
    if (answer === null) return;
    if (answer !== 'refused') this.#stalled = answer.filter(({ doing }) => doing === 'replicates');
    for (const { client, seen, progress } of before) {
      const isStill = this.#clients.get(client) === seen && client.isWaiting && client.progress === progress;
      if (isStill) this.#hear(client, seen, answer);
    }
  }

  #hear(client: Watched, seen: Seen, answer: NonNullable<BackendsAnswer>): void {
    const { limit } = client;
    const doing = doingOf(client, answer);
    if (doing === undefined) this.#lose(client, seen, 'The database has lost this connection');
    else if (doing === 'waits' && !client.isOurTurn) this.#lose(client, seen, 'An answer of the database was lost');
    else if (doing === 'replicates' && (limit.isServers || client.isCommitting))
      this.#end(client, new ConnectionLost('The commit waits for a standby that is away'));
    else if (doing !== 'unknown' && !limit.isServers) seen.silentMs = 0;
  }

  /** Ends it, and the idle ones that have not been heard of since it fell silent. */
  #lose(client: Watched, seen: Seen, message: string): void {
    const error = new ConnectionLost(message);
    this.#end(client, error);
    for (const [other, { quietMs }] of [...this.#clients])
      if (other.isFree && quietMs >= (seen.silentMs ?? 0)) this.#end(other, error);
  }

  #end(client: Watched, error: Error): void {
    this.remove(client);
    client.destroy(error);
  }
}
