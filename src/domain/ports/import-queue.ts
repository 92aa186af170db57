/** Schedules the work on media imports, an installation at a time; loses nothing that matters when it is emptied, since a sweep asks again from the rows. */
export interface ImportQueue {
  /** Asks for the installations' imports to go on. Asked many times before it begins it runs once; asked while it runs it runs once more afterwards, never twice at once. An empty list asks for nothing. */
  ask(installationIds: readonly string[]): Promise<void>;
  /** Starts to do, on this node, what any node asked for. Work that throws is tried again. */
  work(run: (installationId: string) => Promise<void>): void;
  /** Work that waits to begin. */
  depth(): Promise<number>;
  /** Takes no more work, lets what runs end, and closes. */
  close(): Promise<void>;
}
