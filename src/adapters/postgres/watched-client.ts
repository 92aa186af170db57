import type { Duplex, Readable, Writable } from 'node:stream';
import pg from 'pg';

import { serverUrls, whereIs } from '../startup/database-url.ts';
import { backendOf, type OwnBackend } from './backends.ts';
import { endWithClient } from './end-with-client.ts';
import { NotPrimary, READ_ONLY, refusalOf, type ParameterStatus } from './not-primary.ts';
import { serversAt, type Placed, type Servers } from './servers.ts';
import { statementLimit, type Limit, type Watch, type Watched } from './watch.ts';

export interface WatchedConfig extends pg.ClientConfig {
  /** May name several servers: the connection is to the primary. */
  readonly connectionString: string;
  readonly watch: Watch;
  /** For a new connection: until it is open, and until its settings are applied. */
  readonly connectMs: number;
  /** While it is idle, it is asked for a sign of life after this silence. Never by default. */
  readonly beatMs?: number;
}

/**
 * Parts of node-postgres that its types leave out. They let the watch see from outside whether a connection
 * owes an answer. Without them it is judged as one that never does, and a server that is gone is found by
 * `query_timeout`, which costs a timer for each statement and leaves the connection open.
 */
type Stream = Duplex & { readonly bytesRead: number; readonly bytesWritten: number };
interface Internals {
  /** False while an answer is owed. */
  readonly readyForQuery?: boolean;
}

/**
 * A connection to the primary, on which nothing waits without an end. No other is opened
 * (.oxlintrc.json).
 */
export class WatchedClient extends pg.Client implements Watched, Placed {
  backend: OwnBackend | null = null;
  isCommitting = false;
  copying: Readable | Writable | null = null;
  readonly beatMs: number;
  #limit: Limit;
  readonly watch: Watch;
  readonly #connectMs: number;
  readonly #servers: Servers;
  #url: string;
  #isOpen = false;
  readonly #retirement = new AbortController();
  /** For who gives it statements: from then on another connection has to take them. */
  readonly retirement = this.#retirement.signal;
  /** Reason why the server is not the primary. */
  #refusal: NotPrimary | null = null;

  constructor({ watch, connectMs, beatMs = Infinity, connectionString, ...config }: WatchedConfig) {
    const [first = ''] = serverUrls(connectionString);
    super({ ...config, connectionString: first, connectionTimeoutMillis: connectMs });
    this.#servers = serversAt(connectionString);
    this.#url = first;
    this.beatMs = beatMs;
    this.watch = watch;
    this.#connectMs = connectMs;
    this.#limit = watch.limit;
    // Between two users nobody listens, and an error without a listener ends the process. What waits fails with it.
    this.on('error', () => this.#servers.forget());
    this.once('connect', () => watch.add(this));
    // An event of the protocol, below node-postgres's own: BullMQ removes all listeners of a client before it ends it. With
    // `this.once('end')`, such a client is kept, and its server is asked for as long as the process runs.
    this.connection.once('end', () => {
      watch.remove(this);
      this.#servers.remove(this);
    });
    // Both events are of the protocol as well. They find a standby without a statement, and a
    // refused write of any caller. Without them connect() still asks, and a server that becomes
    // read-only is left by the probe.
    this.connection.on('parameterStatus', (status: ParameterStatus) => this.#hear(status));
    this.connection.on('errorMessage', (error: pg.DatabaseError) => {
      // The statement hears of it first.
      if (error.code === READ_ONLY) setImmediate(() => watch.turnAway(this, error));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(
      () => callback(null, this),
      (error: unknown) => callback(error as Error),
    );
    return undefined;
  }

  get limit(): Limit {
    return this.#limit;
  }

  get progress(): number {
    const { bytesRead, bytesWritten } = this.#socket;
    return this.#isSending ? bytesRead + bytesWritten : bytesRead;
  }

  get isOurTurn(): boolean {
    if (this.#isSending) return this.#socket.writableLength === 0;
    return this.copying !== null && 'readableLength' in this.copying && this.copying.readableLength > 0;
  }

  get isWaiting(): boolean {
    return (this as Internals).readyForQuery === false || this.isEnding || this.#socket.writableLength > 0;
  }

  get hasUnsent(): boolean {
    return !this.#isSending && this.#socket.writableLength > 0;
  }

  get isEnding(): boolean {
    return this.#socket.writableEnded;
  }

  get isFree(): boolean {
    return !this.isWaiting && this.getTransactionStatus() === 'I';
  }

  /** Runs what a new connection needs before its first statement, in the time of connecting. Ends one that fails. */
  async prepare(apply: () => Promise<void>): Promise<void> {
    this.#limit = { ms: this.#connectMs, isServers: true };
    await apply().catch((error: unknown) => {
      this.#socket.destroy();
      throw error;
    });
    this.#limit = this.watch.limit;
  }

  /**
   * From now on the server ends each statement after this many milliseconds; never for 0. Without
   * it, the connection's own limit applies again.
   */
  expect(timeoutMs?: number): void {
    this.#limit = timeoutMs === undefined ? this.watch.limit : statementLimit(timeoutMs);
  }

  destroy(error: Error): void {
    this.#socket.destroy(error);
  }

  get isRetired(): boolean {
    return this.retirement.aborted;
  }

  /** The watch ends it. */
  retire(): void {
    this.#retirement.abort();
  }

  beat(): void {
    this.query('SELECT').catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    this.#aimAt(await this.#servers.primary());
    try {
      await super.connect();
      await this.#requirePrimary();
      this.#servers.add(this, { url: this.#url, timeline: this.backend?.timeline ?? 0 });
    } catch (error) {
      this.#servers.forget();
      this.#socket.destroy();
      throw error;
    }
    return this;
  }

  async #requirePrimary(): Promise<void> {
    this.#isOpen = true;
    if (this.#refusal !== null) throw this.#refusal;
    await this.prepare(async () => {
      this.backend = await backendOf(this);
      await endWithClient(this);
    });
    // A pooler may keep back what the server reports.
    if (this.backend?.timeline === null) throw new NotPrimary(`${whereIs(this.#url)} is a standby`);
  }

  #aimAt(url: string): void {
    if (url === this.#url) return;
    this.#url = url;
    // Another host and another port are all that differs between the servers. A client reads both when it connects. A pool
    // makes its clients before anybody knows the primary. The plain line, where that is known: `super({ connectionString: url })`.
    const { host, port } = new pg.Client({ connectionString: url });
    Object.assign(this, { host, port });
  }

  #hear(status: ParameterStatus): void {
    const refusal = refusalOf(status, this.#url);
    // While it is opened, connect() refuses it.
    if (this.#isOpen && refusal !== null) this.watch.turnAway(this, refusal);
    else this.#refusal ??= refusal;
  }

  get #isSending(): boolean {
    const { copying } = this;
    return copying !== null && 'writableEnded' in copying && !copying.writableEnded && !copying.destroyed;
  }

  /**
   * The socket's bytes are the progress, and only the socket can end a connection whose server is
   * silent; `end()` would wait.
   */
  get #socket(): Stream {
    return this.connection.stream as Stream;
  }
}
