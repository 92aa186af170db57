import type { Writable } from 'node:stream';
import type pg from 'pg';

import { WatchedClient, type WatchedConfig } from '../../postgres/watched-client.ts';
import { hasCitus } from './citus/has-citus.ts';
import { repeatConflicts } from './conflict.ts';
import { run, type StatementResult, type BoundStatement } from './prepared-query.ts';
import { sqlOver, type Sql } from './sql.ts';
import { portError } from './unavailable.ts';

export interface PipelineOptions {
  readonly config: WatchedConfig;
  readonly prepare: (client: pg.Client) => Promise<void>;
  /** On a connection that no other statement waits for. */
  readonly alone: (bound: BoundStatement) => Promise<StatementResult>;
  readonly onError: (error: Error) => void;
}

export class Pipeline {
  readonly sql: Sql = sqlOver((bound) => this.run(bound));
  private client: Promise<pg.Client> | undefined;
  private corked = false;

  constructor(private readonly options: PipelineOptions) {}

  async end(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  private async run(bound: BoundStatement): Promise<StatementResult> {
    try {
      const client = await (this.client ??= this.connect());
      // Statements of a Citus cluster run alone: on one connection they wait for each other, and so
      // would those of all stores for a worker that is silent.
      if (hasCitus(client)) return await this.options.alone(bound);
      this.cork(client.connection.stream);
      return await repeatConflicts(() => run(client, bound));
    } catch (error) {
      throw portError(error);
    }
  }

  /**
   * Holds writes back until all sockets that are ready have been read: the statements of their
   * requests leave together, which saves half of what a short statement costs. The socket is node-postgres's own:
   * without this call each statement leaves alone, and all is still right.
   */
  private cork(stream: Writable): void {
    if (this.corked) return;
    this.corked = true;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }

  /**
   * Statements that wait on a connection that breaks fail with its error; the next statement opens
   * a new one.
   */
  private connect(): Promise<pg.Client> {
    const client = new WatchedClient(this.options.config);
    const connected = client
      .connect()
      .then(() => client.prepare(() => this.options.prepare(client)))
      .then(() => client);
    const forget = (): void => {
      if (this.client === connected) this.client = undefined;
    };
    // Statements in flight on a retired connection end there, and new statements get another one.
    client.retirement.addEventListener('abort', forget);
    client.on('end', forget).on('error', (error) => {
      forget();
      this.options.onError(error);
    });
    connected.catch(forget);
    return connected;
  }
}
