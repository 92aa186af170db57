import type { Writable } from 'node:stream';
import pg from 'pg';

import { prepared } from './sql.ts';
import type { Sql } from './sql.ts';
import { portError } from './unavailable.ts';

/** One connection for the statements of all requests, opened at the first and anew after it broke. */
export class Pipeline implements Sql {
  private client: Promise<pg.Client> | undefined;
  private corked = false;

  constructor(
    private readonly config: pg.ClientConfig,
    /** Brings a new connection into shape. */
    private readonly prepare: (client: pg.Client) => Promise<void>,
    /** Told of a connection that broke. */
    private readonly onError: (error: Error) => void,
  ) {}

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      const client = await (this.client ??= this.connect());
      this.cork(client.connection.stream);
      return (await client.query<Row>(prepared(text, values))).rows;
    } catch (error) {
      throw portError(error);
    }
  }

  async end(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  /** Until all sockets that are ready have been read: what they ask leaves together. */
  private cork(stream: Writable): void {
    if (this.corked) return;
    this.corked = true;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }

  /** What waits on a connection that breaks is refused with it; what comes next has a new one. */
  private connect(): Promise<pg.Client> {
    const client = new pg.Client(this.config);
    const connected = client
      .connect()
      .then(() => this.prepare(client))
      .then(() => client);
    const forget = (): void => {
      if (this.client === connected) this.client = undefined;
    };
    client.on('end', forget).on('error', (error) => {
      forget();
      this.onError(error);
    });
    connected.catch(forget);
    return connected;
  }
}
