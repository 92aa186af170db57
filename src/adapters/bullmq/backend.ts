import type { BackendFactory } from 'bullmq';

export type BackendAddress = { readonly databaseUrl: string } | { readonly redisUrl: string };

/**
 * Called for an error of a connection, or of a piece of work, which is then named: `deliver:<id>`.
 */
export type OnError = (error: unknown, work?: string) => void;

export interface QueueBackend {
  readonly factory: BackendFactory;
  /** Rejects unless the storage of the queue takes a write. A standby and a full memory answer reads alone. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}
