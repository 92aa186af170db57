import type { Logger } from 'pino';

export type Closers = (() => Promise<void> | void)[];

/** What is needed to open a connection, and to close it at the end. */
export interface Opening {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly closers: Closers;
}
