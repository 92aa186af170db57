import type { Logger } from 'pino';

export type Closers = (() => Promise<void> | void)[];

/** Dependencies for opening a connection, and for closing it at the end. */
export interface Opening {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly closers: Closers;
}
