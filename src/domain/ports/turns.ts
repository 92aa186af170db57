/** Long work awaits it between its steps, so that it shares the event loop of this process with the requests of others. */
export type Turn = () => Promise<void>;

export interface Turns {
  /**
   * Returns what long work awaits between its steps. Resolves without a pause until 10 ms of work have
   * passed. Resolves after a turn of the event loop once they have, and the next 10 ms begin then.
   */
  begin(): Turn;
}
