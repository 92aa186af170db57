import type { BackendFactory } from 'bullmq';

/** Where the jobs are kept: on a PostgreSQL database or on a Redis. */
export type BackendAddress = { readonly databaseUrl: string } | { readonly redisUrl: string };

/**
 * Called for an error of a connection, or of a piece of work, which is then named: `deliver:<id>`.
 */
export type OnError = (error: unknown, work?: string) => void;

/** One storage that queues and workers of any topic share. */
export interface Backend {
  readonly factory: BackendFactory;
  close(): Promise<void>;
}
